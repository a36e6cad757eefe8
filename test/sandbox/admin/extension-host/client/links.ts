import { context } from "./admin.ts";

/**
 * Shopify's addresses as the admin opens them: `app:` is below the app's own page, `shopify:admin` below the store, a relative one
 * below the app; others are as they are. Null: `extension:`, which opens an action and is no address.
 */
export function resolveLink(url: string): string | null {
  const store = `/store/${context.handle}`;
  const [, scheme, rest = ""] = /^(app:|shopify:admin|extension:)\/*(.*)$/.exec(url) ?? [];
  if (scheme === "extension:") return null;
  if (scheme === "app:") return `${store}/apps/${context.app}/${rest}`;
  if (scheme === "shopify:admin") return `${store}/${rest}`;
  if (/^[a-z][a-z+.-]*:/i.test(url)) return url;
  return `${store}/apps/${context.app}/${url.replace(/^\/+/, "")}`;
}

/** The handle in `extension:handle` or `extension://handle`. */
export function extensionHandle(url: string): string | null {
  return /^extension:(?:\/\/)?([\w-]+)/.exec(url)?.[1] ?? null;
}

/** Admin links get the store and the resource at hand. */
export function withResource(address: string): string {
  const url = new URL(address, location.href);
  url.searchParams.set("shop", context.shop);
  if (context.orderId) url.searchParams.set("id", context.orderId.slice(context.orderId.lastIndexOf("/") + 1));
  return url.pathname + url.search;
}
