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
  /** What a route's loader gives the page now. @throws unless it answers 200. */
  load<T>(path: string, route: string): Promise<T>;
  /** Sends a form to a route's action and answers what it says, refusals (4xx) included. */
  submit<T>(path: string, route: string, fields: Fields): Promise<T>;
  /** Sends a form of the admin itself. @throws unless the admin accepts it. */
  admin(path: string, fields: Fields): Promise<void>;
}

export interface Document {
  status: number;
  html: string;
  headers: Headers;
}

export type Fields = Record<string, string | string[]>;

export function createVisitor({ adminUrl, store }: VisitorOptions): Visitor {
  const frameUrl = async (path: string): Promise<URL> => {
    const response = await fetch(`${adminUrl}/store/${store}/apps/origen${path}`, {
      headers: { "User-Agent": BROWSER },
    });
    const source = /<iframe[^>]* src="([^"]+)"/.exec(await response.text())?.[1];
    if (!source) throw new Error(`The admin shows no frame at ${path} (${response.status})`);
    return new URL(source.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code))));
  };
  const appOrigin = frameUrl("/").then((url) => url.origin);
  appOrigin.catch(() => undefined);

  const sessionToken = async (): Promise<string> => {
    const response = await fetch(`${adminUrl}/internal/${store}/session-token`, { method: "POST" });
    return ((await response.json()) as { token: string }).token;
  };

  const ask = async (path: string, route: string, init: RequestInit): Promise<Response> => {
    const url = new URL(path, await appOrigin);
    url.searchParams.set("_data", route);
    const headers = {
      "User-Agent": BROWSER,
      Authorization: `Bearer ${await sessionToken()}`,
      Accept: "application/json",
    };
    const response = await fetch(url, { ...init, redirect: "manual", headers: { ...headers, ...init.headers } });
    if (response.status >= 500)
      throw new Error(`${url.pathname} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
    return response;
  };

  return {
    async open(path) {
      const response = await fetch(await frameUrl(path), { headers: { "User-Agent": BROWSER } });
      return { status: response.status, html: await response.text(), headers: response.headers };
    },
    async load<T>(path: string, route: string) {
      const response = await ask(path, route, { method: "GET" });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body.slice(0, 300)}`);
      return fromDeferred(body) as T;
    },
    async submit<T>(path: string, route: string, fields: Fields) {
      const response = await ask(path, route, { method: "POST", body: form(fields) });
      const redirect = response.headers.get("X-Remix-Redirect");
      if (redirect) return { redirect } as T;
      return fromDeferred((await response.text()) || "null") as T;
    },
    async admin(path, fields) {
      const url = `${adminUrl}/store/${store}${path}`;
      const response = await fetch(url, { method: "POST", body: form(fields), redirect: "manual" });
      if (response.status !== 303) throw new Error(`The admin refused ${path} (${response.status})`);
    },
  };
}

/** A streamed loader's answer is its first JSON text; what follows comes later and is not waited for here. */
function fromDeferred(body: string): unknown {
  return JSON.parse(body.split("\n\n")[0] || "null");
}

function form(fields: Fields): URLSearchParams {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs);
}
