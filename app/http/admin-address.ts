import { isStoreDomain } from "../domain/store-domain.ts";

/**
 * Whether an address says nothing that no admin of Shopify's would say. Asked before Shopify's package sees the request: of some addresses
 * the package takes `shop` and the targets as they stand, into its policy and into the page that leaves the frame.
 */
export function isAdminAddress(address: URL, { appUrl }: { appUrl: string }): boolean {
  const said = address.searchParams;
  if (NAMES.some((name) => said.getAll(name).length > 1)) return false;
  const [shop, host, exit, reload] = NAMES.map((name) => said.get(name));
  return (
    (shop === null || isStoreDomain(shop)) &&
    (host === null || isHost(host!)) &&
    (exit === null || isWayOut(exit!, { shop: shop ?? null, appUrl })) &&
    (reload === null || isOwn(reload!, appUrl))
  );
}

const NAMES = ["shop", "host", "exitIframe", "shopify-reload"] as const;

const ADMIN = "https://admin.shopify.com";
const BASE64 = /^[\w+/-]+={0,2}$/;

/** Where the app is framed, in Base64: `admin.shopify.com/store/…` or `….myshopify.com/admin`. */
function isHost(host: string): boolean {
  if (!BASE64.test(host)) return false;
  const place = parsed(`https://${Buffer.from(host, "base64").toString("latin1")}`);
  return place?.origin === ADMIN || (isStoreDomain(place?.hostname) && place?.port === "");
}

function isOwn(target: string, appUrl: string): boolean {
  return parsed(target, appUrl)?.origin === new URL(appUrl).origin;
}

/** Over HTTPS and without empty parts of a path, because the package throws over the others. */
function isWayOut(target: string, { shop, appUrl }: { shop: string | null; appUrl: string }): boolean {
  const place = parsed(target, appUrl);
  if (place?.protocol !== "https:" || target.includes("///") || place.pathname.includes("//")) return false;
  if (isOwn(target, appUrl) || place.origin === ADMIN) return true;
  return shop !== null && place.href.startsWith(`https://${shop.toLowerCase()}/admin/`);
}

/** Null for what is no URL, and for one with blanks, line breaks and the like, which a parser drops and a header does not take. */
function parsed(text: string, base?: string): URL | null {
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes("\\")) return null;
  const url = URL.parse(text, base);
  return url && url.username === "" && url.password === "" ? url : null;
}
