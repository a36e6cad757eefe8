import { isStoreDomain } from "../domain/store-domain.ts";

/** The shop that a webhook's body names. Only the body is signed; a header may be anybody's. */

const FIELDS = new Map<string, readonly string[]>([
  // `domain` may be the shop's own, which says nothing.
  ["app/uninstalled", ["myshopify_domain", "domain"]],
  ["shop/redact", ["shop_domain"]],
  ["customers/data_request", ["shop_domain"]],
  ["customers/redact", ["shop_domain"]],
]);

/** A body that has one of these is about a customer and not about the whole shop, under whatever topic it is sent. */
const ABOUT_A_CUSTOMER = ["customer", "orders_requested", "orders_to_redact"];

/** Null when the body names none, as those of most topics do not, or is another topic's. */
export function shopInBody(topic: string, payload: unknown): string | null {
  if (typeof payload !== "object" || payload === null) return null;
  const body = payload as Record<string, unknown>;
  if (topic === "shop/redact" && ABOUT_A_CUSTOMER.some((field) => Object.hasOwn(body, field))) return null;
  const named = (FIELDS.get(topic) ?? []).map((field) => body[field]).find(isStoreDomain);
  return named?.toLowerCase() ?? null;
}
