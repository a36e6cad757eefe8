import { adminOrigin, ask, embedded, listen, tell } from "./channel.ts";
import { frameContext } from "./context.ts";
import { idToken } from "./id-token.ts";

// Parameters that the admin adds to the frame's URL and leaves out of its own.
const RESTRICTED = [
  "hmac",
  "locale",
  "protocol",
  "session",
  "id_token",
  "shop",
  "timestamp",
  "host",
  "embedded",
  "appLoadId",
];

const nativeOpen = window.open.bind(window);

/** Keeps the admin's URL in step with the frame's, and opens links that leave the app in the admin. */
export function installNavigation(): void {
  for (const method of ["pushState", "replaceState"] as const) {
    const native = history[method].bind(history);
    history[method] = (...args) => {
      native(...args);
      reportLocation();
    };
  }
  window.addEventListener("popstate", reportLocation);
  window.open = (url, target, features) =>
    leaves(String(url ?? ""), target) ? null : nativeOpen(url, target, features);
  document.addEventListener("click", onLink, true);
  listen("navigate", (href) => navigate(String(href)));
  reportLocation();
}

/** Goes to a page of the app as App Bridge does: an event that the app's router takes up. */
export function navigate(href: string, from?: Element): void {
  const anchor = from ?? temporaryAnchor(href);
  anchor.dispatchEvent(new CustomEvent("shopify:navigate", { bubbles: true, cancelable: true, composed: true }));
  if (!from) anchor.remove();
}

/** The bounce page: returns to the page that it was called for, with a fresh session token. */
export async function bounceIfAsked(): Promise<void> {
  const reload = new URLSearchParams(location.search).get("shopify-reload");
  if (!reload) return;
  const url = new URL(reload, location.origin);
  if (url.origin !== location.origin) throw new Error("shopify-reload must lead to the app");
  url.searchParams.set("id_token", await idToken({ fresh: true }));
  location.replace(url);
}

/** Redirects a page of the app that was opened outside the admin into the admin. */
export function redirectIfNotEmbedded(): void {
  if (embedded || !frameContext.shop) return;
  const handle = frameContext.shop.replace(".myshopify.com", "");
  location.assign(`${adminOrigin}/store/${handle}/apps/origen${ownPath()}`);
}

export function checkedLeave(): Promise<void> {
  return ask("leaveConfirmation");
}

function reportLocation(): void {
  if (!new URLSearchParams(location.search).has("shopify-reload")) tell("location", ownPath());
}

function ownPath(): string {
  const url = new URL(location.href);
  for (const parameter of RESTRICTED) url.searchParams.delete(parameter);
  return url.pathname + url.search + url.hash;
}

function onLink(event: MouseEvent): void {
  const anchor = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  if (!anchor || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (leaves(anchor.getAttribute("href") ?? "", anchor.target)) event.preventDefault();
}

/** Hands a URL to the admin if the admin opens it; returns whether it did. */
function leaves(href: string, target: string | undefined): boolean {
  const outside = /^(shopify|app):/i.test(href);
  if (!outside && target !== "_top" && target !== "_parent") return false;
  if (!embedded && !outside) return false;
  tell("open", { url: outside ? href : new URL(href, location.href).href, target: target ?? "_self" });
  return true;
}

function temporaryAnchor(href: string): HTMLAnchorElement {
  const anchor = document.createElement("a");
  anchor.setAttribute("href", href);
  anchor.hidden = true;
  document.body.append(anchor);
  return anchor;
}
