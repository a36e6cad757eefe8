/**
 * A document's Content-Security-Policy: who may frame it is Shopify's package's to say (the shop and the admin, when the request
 * names a valid shop) and otherwise nobody; scripts come from us and from where App Bridge lives.
 */
export interface DocumentPolicy {
  frameAncestors: string;
  appBridgeUrl: string;
  /** Null: the document is Shopify's package's own, whose inline script moves the top window and knows no nonce. */
  nonce: string | null;
}

export const NOBODY_FRAMES = "frame-ancestors 'none';";

export function documentPolicy({ frameAncestors, appBridgeUrl, nonce }: DocumentPolicy): string {
  const inline = nonce === null ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  return [
    frameAncestors.replace(/;\s*$/, ""),
    `script-src 'self' ${new URL(appBridgeUrl).origin} ${inline}`,
    "object-src 'none'",
    "base-uri 'none'",
  ].join("; ");
}
