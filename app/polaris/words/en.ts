export { default } from "@shopify/polaris/locales/en.json";
