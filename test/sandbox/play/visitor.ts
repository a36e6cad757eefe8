// A person's browser, as far as HTTP goes: it opens the admin's page, follows the frame into the app, and sends what forms send.

/** Shopify's package turns bots away by their name, so a visitor has a browser's. */
export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export interface VisitorOptions {
  adminUrl: string;
  /** The store's handle. */
  store: string;
}

export interface Visitor {
  /** Opens a page of the app in the admin; answers the document in the frame. */
  open(path: string): Promise<Document>;
  /** What a route's loader returns for the page now. @throws unless it answers 200. */
  load<T>(path: string, route: string): Promise<T>;
  /** Sends a command to a route's action, as its page's script does; returns the answer. @throws unless it answers 200. */
  submit<T>(path: string, route: string, body: object): Promise<T>;
  /** Sends a form of the admin itself. @throws unless the admin accepts it. */
  admin(path: string, fields: Record<string, string>): Promise<void>;
}

export interface Document {
  status: number;
  html: string;
  headers: Headers;
}

export function createVisitor({ adminUrl, store }: VisitorOptions): Visitor {
  const frameUrl = async (path: string): Promise<URL> => {
    const response = await fetch(`${adminUrl}/store/${store}/apps/origen${path}`, {
      headers: { "User-Agent": BROWSER },
    });
    const source = /<iframe[^>]* data-src="([^"]+)"/.exec(await response.text())?.[1];
    if (!source) throw new Error(`The admin shows no frame at ${path} (${response.status})`);
    return new URL(source.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code))));
  };
  const appOrigin = frameUrl("/").then((url) => url.origin);
  appOrigin.catch(() => undefined);

  const sessionToken = async (): Promise<string> => {
    const response = await fetch(`${adminUrl}/internal/${store}/session-token`, { method: "POST" });
    return ((await response.json()) as { token: string }).token;
  };

  const ask = async <T>(path: string, route: string, init: RequestInit): Promise<T> => {
    const url = new URL(path, await appOrigin);
    url.searchParams.set("_data", route);
    const headers = { "User-Agent": BROWSER, Authorization: `Bearer ${await sessionToken()}`, ...init.headers };
    const response = await fetch(url, { ...init, redirect: "manual", headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return firstOfStream(text) as T;
  };

  return {
    async open(path) {
      const response = await fetch(await frameUrl(path), { headers: { "User-Agent": BROWSER } });
      return { status: response.status, html: await response.text(), headers: response.headers };
    },
    load: (path, route) => ask(path, route, { method: "GET" }),
    submit: (path, route, body) =>
      ask(path, route, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    async admin(path, fields) {
      const url = `${adminUrl}/store/${store}${path}`;
      const response = await fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
      if (response.status !== 303) throw new Error(`The admin refused ${path} (${response.status})`);
    },
  };
}

/** A streamed answer's first JSON text. Deferred values come after it and are not awaited here. */
function firstOfStream(text: string): unknown {
  return JSON.parse(text.split("\n\n")[0] || "null");
}
