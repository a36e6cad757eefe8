import { RELEASE_HEADER } from "../../views/release.ts";
import { setOutage } from "./outage-state.ts";
import { isTyped } from "./unsaved.ts";

/** Of the first document's address: without these a document of the app is led out of the admin. */
const EMBEDDED = ["shop", "host", "embedded", "locale"] as const;

/**
 * A page this young is not loaded again, in milliseconds. While several processes are replaced one after another, an old one may give the
 * page and a new one its data.
 */
const YOUNG_MS = 10_000;

const first = typeof location === "undefined" ? new URLSearchParams() : new URLSearchParams(location.search);

/** Whether an answer comes from another release of the app than the page. Not known of what a proxy answers. */
export function isOfAnotherRelease(answer: Response): boolean {
  const release = answer.headers.get(RELEASE_HEADER);
  return release !== null && release !== window.__remixManifest.version;
}

/** What signs the first document's address; an older signature or token leads to another page first, to get a new one. */
const SIGNED = ["id_token", "hmac", "session", "timestamp"] as const;
/** App Bridge gives a token at once, or the admin does not hear it, in milliseconds. */
const TOKEN_WITHIN_MS = 2_000;

/** An address of the app's as its document is asked for in the admin, with a session token where App Bridge gives one. */
export async function documentOf(href: string): Promise<string> {
  const url = new URL(href, location.origin);
  for (const name of SIGNED) url.searchParams.delete(name);
  for (const name of EMBEDDED) {
    const value = first.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  const token = await freshToken();
  if (token !== null) url.searchParams.set("id_token", token);
  return url.pathname + url.search + url.hash;
}

async function freshToken(): Promise<string | null> {
  const silence = new Promise<null>((resolve) => setTimeout(resolve, TOKEN_WITHIN_MS, null));
  return Promise.race([Promise.resolve(window.shopify?.idToken() ?? null).catch(() => null), silence]);
}

let isLeaving = false;

/** Loads the page anew, whatever is typed. */
export function loadAnew(): void {
  if (isLeaving) return;
  isLeaving = true;
  void documentOf(location.pathname + location.search + location.hash).then((href) => location.replace(href));
}

/** The app has a newer release than this page: loads it where nothing is lost by that, and says so otherwise. */
export function meetNewerRelease(): void {
  if (isTyped()) setOutage({ isNewer: true });
  else if (performance.now() > YOUNG_MS) loadAnew();
}
