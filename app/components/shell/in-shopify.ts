/** Pages of the admin where what comes from Shopify is mended. The app is framed, so they open above it. */

/** All locations. */
export const LOCATIONS_IN_SHOPIFY = { url: "shopify://admin/settings/locations", target: "_top" } as const;

/** One location, by the number in its id. */
export function locationInShopify(legacyId: string): { url: string; target: "_top" } {
  return { url: `${LOCATIONS_IN_SHOPIFY.url}/${legacyId}`, target: "_top" };
}
