import { appBase, byId, send, settings } from "./frame.ts";
import { heldBack } from "./save-bar.ts";

export interface NavigationItem {
  label: string;
  href: string;
  home: boolean;
}

/** The admin's address follows the app's. */
export function showLocation(path: string): void {
  history.replaceState(null, "", appBase + (path === "/" ? "" : path));
  markCurrent(path);
}

let drawn = "";

/** The menu as the app last told it. One that is told again stays: whoever has the focus in it keeps it. */
export function drawNavigation(items: NavigationItem[]): void {
  const told = JSON.stringify(items);
  if (told === drawn) return;
  drawn = told;
  const list = byId("app-nav");
  list.replaceChildren(
    ...items
      .filter((item) => !item.home)
      .map((item) => {
        const link = document.createElement("a");
        link.href = appBase + item.href;
        link.dataset.path = new URL(item.href, location.origin).pathname;
        link.textContent = item.label;
        link.addEventListener("click", (event) => inApp(event, "navMenu.click", item.href));
        const entry = document.createElement("li");
        entry.append(link);
        return entry;
      }),
  );
  const home = items.find((item) => item.home);
  const name = document.querySelector<HTMLAnchorElement>(`.side > a[href="${appBase}"]`);
  if (name && home) name.onclick = (event) => inApp(event, "navMenu.click", home.href);
  markCurrent(location.pathname.slice(appBase.length) || "/");
}

/** `shopify:admin/…` is this admin, `app:` the app itself; the live admin's addresses lead here too. */
export function openOutside(url: string, target: string): void {
  const inAdmin =
    /^shopify:\/*admin\/?(.*)$/i.exec(url)?.[1] ??
    /^https:\/\/admin\.shopify\.com\/store\/[^/]+\/?(.*)$/.exec(url)?.[1];
  const ownPath = /^app:\/*(.*)$/i.exec(url)?.[1];
  const address =
    inAdmin !== undefined
      ? `/store/${settings.handle}/${inAdmin}`
      : ownPath !== undefined
        ? `${appBase}/${ownPath}`
        : url;
  if (!address.startsWith("/") && !/^https?:/.test(address)) throw new Error(`The admin does not open ${url}`);
  if (target === "_blank") {
    window.open(address, "_blank", "noopener");
    return;
  }
  if (!heldBack()) location.assign(address);
}

function markCurrent(path: string): void {
  const here = new URL(path, location.origin).pathname;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#app-nav a")) {
    if (link.dataset.path === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** A click that stays within the app is handled by the app's router, unless unsaved changes prevent it. */
function inApp(event: MouseEvent, name: string, detail: unknown): void {
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (heldBack()) return;
  send({ event: name, detail });
}
