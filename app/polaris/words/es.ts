export { default } from "@shopify/polaris/locales/es.json";
