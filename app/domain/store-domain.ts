const STORE_DOMAIN = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/i;

/** Whether this is the domain that Shopify gives a store. Anything else names no shop, wherever it stands. */
export function isStoreDomain(text: unknown): text is string {
  return typeof text === "string" && text.length <= 255 && STORE_DOMAIN.test(text);
}
