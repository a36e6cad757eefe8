// The s-* elements of the target, for Preact's JSX.
import "@shopify/ui-extensions/admin.order-index.selection-action.render";
