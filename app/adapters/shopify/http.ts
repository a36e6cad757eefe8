import { AppError } from "../../domain/errors.ts";
import { isStoreDomain } from "../../domain/store-domain.ts";
import type { Clock, HeardDates } from "../../ports.ts";

/** The requests that the app's server sends to a shop. Other files interpret the answers. */

/** More than any answer of Shopify's to a question of ours, in bytes after decompression: a page of 250 locations has half a megabyte. */
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** `globalThis.fetch`, or a test's replacement. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Answer {
  status: number;
  /** Undefined when the body is no JSON, such as a proxy's page of HTML. */
  json: unknown;
}

export interface ShopifyHttp {
  graphql(call: { shop: string; accessToken: string; body: object; signal: AbortSignal }): Promise<Answer>;
  /** The token endpoint, grant `refresh_token`, for an expiring offline token. */
  refresh(call: { shop: string; refreshToken: string; signal: AbortSignal }): Promise<Answer>;
  /** The token endpoint with the session token of a visit from the admin, for an expiring offline token. */
  exchange(call: { shop: string; sessionToken: string; signal: AbortSignal }): Promise<Answer>;
}

export interface ShopifyHttpOptions {
  fetch: Fetch;
  apiKey: string;
  apiSecret: string;
  apiVersion: string;
  /** Where the `Date` of each answer is noted. */
  dates?: HeardDates | undefined;
}

export function createShopifyHttp({ fetch, apiKey, apiSecret, apiVersion, dates }: ShopifyHttpOptions): ShopifyHttp {
  const post = async (url: string, init: { headers?: Record<string, string>; body: object; signal: AbortSignal }) => {
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: init.signal,
      headers: { "Content-Type": "application/json", Accept: "application/json", ...init.headers },
      body: JSON.stringify(init.body),
    });
    dates?.heard("shopify", answer.headers.get("date"));
    return { status: answer.status, json: parsed(new TextDecoder().decode(await bodyOf(answer))) };
  };
  const grant = (shop: string, init: { body: Record<string, string>; signal: AbortSignal }) =>
    post(`${storeUrl(shop)}/admin/oauth/access_token`, {
      body: { client_id: apiKey, client_secret: apiSecret, ...init.body },
      signal: init.signal,
    });
  return {
    graphql: ({ shop, accessToken, body, signal }) =>
      post(`${storeUrl(shop)}/admin/api/${apiVersion}/graphql.json`, {
        headers: { "X-Shopify-Access-Token": accessToken },
        body,
        signal,
      }),
    refresh: ({ shop, refreshToken, signal }) =>
      grant(shop, { body: { grant_type: "refresh_token", refresh_token: refreshToken }, signal }),
    exchange: ({ shop, sessionToken, signal }) =>
      grant(shop, {
        body: {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          subject_token: sessionToken,
          subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
          requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
          expiring: "1",
        },
        signal,
      }),
  };
}

/** The URL of a shop; throws for any other host, because a token must never be sent there. */
function storeUrl(shop: string): string {
  if (isStoreDomain(shop)) return `https://${shop}`;
  throw new AppError({ kind: "internal", message: "a session names no store of Shopify's", effect: "none" });
}

/** The body, counted while it is read. @throws for one that is larger than any of Shopify's, and the rest of it is not taken in. */
export async function bodyOf({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  if (!body) return Buffer.alloc(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length;
    if (bytes > LARGEST_ANSWER) {
      await reader.cancel();
      throw new Error(`an answer of Shopify's has more than ${LARGEST_ANSWER} bytes`);
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Rejects when the work has not ended within `ms`, even if the work ignores the signal. */
export function withinTime<T>(
  clock: Pick<Clock, "after">,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      patience.abort();
      reject(new Error(`no answer within ${ms} ms`));
    });
    work(patience.signal).then(resolve, reject).finally(cancel);
  });
}
