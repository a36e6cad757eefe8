export { default as polarisStyles } from "@shopify/polaris/build/esm/styles.css?url";
