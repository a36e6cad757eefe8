/**
 * A document's Content-Security-Policy. Who may frame it: Shopify's package names the shop and the admin when the request names a valid
 * shop; otherwise nobody may. Scripts come from us and from where App Bridge is served.
 */
export interface DocumentPolicy {
  frameAncestors: string;
  appBridgeUrl: string;
  /** Null for a document of Shopify's package, whose inline script moves the top window and has no nonce. */
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
