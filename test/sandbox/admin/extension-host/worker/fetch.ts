import type { PageServices, WorkerStart } from "../protocol.ts";
import type { Remote } from "../rpc.ts";

const DIRECT_API = /^shopify:admin\/api\/([^/]+)\/graphql\.json$/;

/**
 * As Shopify documents an extension's fetch: `shopify:admin/api/…` goes to the store's Admin API with the app's access; addresses of
 * the app, relative ones too, get a session token; anything else goes out as it is. The worker's origin is nobody's, so the app is
 * truly asked across origins.
 */
export function extensionFetch(start: WorkerStart, page: Remote<PageServices>): typeof fetch {
  const native = globalThis.fetch.bind(globalThis);
  return async (input, init = {}) => {
    const address = input instanceof Request ? input.url : String(input);
    const version = DIRECT_API.exec(address)?.[1];
    if (version !== undefined) return directApi({ version, init, start, page });
    const url = new URL(address, start.appUrl);
    if (url.origin !== new URL(start.appUrl).origin) return native(url, { ...init, credentials: "omit" });
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${await page.sessionToken()}`);
    return native(url, { ...init, headers, credentials: "omit" });
  };
}

interface DirectCall {
  version: string;
  init: RequestInit;
  start: WorkerStart;
  page: Remote<PageServices>;
}

async function directApi({ version, init, start, page }: DirectCall): Promise<Response> {
  if (init.method !== "POST" || !start.apiVersions.includes(version))
    return Response.json({ errors: "Not Found" }, { status: 404 });
  return Response.json(await page.graphql(JSON.parse(String(init.body))));
}
