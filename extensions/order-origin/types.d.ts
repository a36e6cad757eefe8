// The s-* elements of both targets, for Preact's JSX.
import "@shopify/ui-extensions/admin.order-details.action.render";
import "@shopify/ui-extensions/admin.order-details.block.render";
