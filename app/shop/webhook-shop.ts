/** The shop that a webhook's body names. Only the body is signed; a header may be anybody's. */

const FIELDS = new Map<string, readonly string[]>([
  // `domain` may be the shop's own, which says nothing.
  ["app/uninstalled", ["myshopify_domain", "domain"]],
  ["shop/redact", ["shop_domain"]],
  ["customers/data_request", ["shop_domain"]],
  ["customers/redact", ["shop_domain"]],
]);

/** Null when the body names none, as those of most topics do not. */
export function shopInBody(topic: string, payload: unknown): string | null {
  if (typeof payload !== "object" || payload === null) return null;
  const body = payload as Record<string, unknown>;
  const named = (FIELDS.get(topic) ?? [])
    .map((field) => body[field])
    .find((value) => typeof value === "string" && /\.myshopify\.com$/i.test(value));
  return named === undefined ? null : String(named).toLowerCase();
}
