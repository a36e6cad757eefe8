import { createRequestHandler } from "@remix-run/node";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import type { ServerResponse } from "node:http";
import type { NextFunction, Request as ExpressRequest, Response as ExpressResponse } from "express";
import { RELEASE_HEADER } from "../views/release.ts";
import { bodyOf, LARGEST_BODY } from "./request-body.ts";
import { refuseTooLong } from "./too-long.ts";

export interface RemixHandlerOptions {
  build: ServerBuild | (() => Promise<ServerBuild>);
  mode: "development" | "production";
  /** Where browsers and Shopify reach the app. */
  appUrl: string;
  /** What routes and the document are told of the request. */
  contextOf: (response: ExpressResponse) => AppLoadContext;
}

/** Headers of an answer that the server alone decides, so that no package adds a second opinion. */
const SERVERS_OWN = new Set(["content-security-policy"]);

/**
 * Remix under Express. Remix's own adapter believes the request about the app's address and leaves bodies unread; here the address is the
 * app's own, whatever `Host` and `X-Forwarded-*` say, and every body comes to its end.
 */
export function createRemixHandler({ build, mode, appUrl, contextOf }: RemixHandlerOptions) {
  const handle = createRequestHandler(build, mode);
  const address = new URL(appUrl);
  // While pages are made anew at each change, none is of a release.
  const release = typeof build === "function" ? null : build.assets.version;

  return async (request: ExpressRequest, response: ExpressResponse, next: NextFunction): Promise<void> => {
    const leaving = new AbortController();
    if (release !== null) response.set(RELEASE_HEADER, release);
    const body = bodyOf(request, () => leaving.abort());
    response.on("finish", body.discard);
    // Whoever worked for it stops, and whoever counts what is not answered yet (`fair-share.ts`) hears that it is.
    response.on("close", () => leaving.abort());
    if (Number(request.headers["content-length"] ?? 0) > LARGEST_BODY) return refuseTooLong(request, response, body);
    try {
      const hasBody = request.method !== "GET" && request.method !== "HEAD";
      const asked = new Request(address.origin + request.url, {
        method: request.method,
        headers: headersOf(request, address),
        signal: leaving.signal,
        ...(hasBody && { body: body.stream, duplex: "half" }),
      } as RequestInit);
      const answer = await handle(asked, contextOf(response));
      if (body.isTooLong()) return refuseTooLong(request, response, body);
      await send(response, answer);
    } catch (error) {
      next(error);
    }
  };
}

/** As they came, but with the app's own name. */
function headersOf(request: ExpressRequest, address: URL): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  headers.set("host", address.host);
  headers.delete("x-forwarded-host");
  headers.delete("x-forwarded-proto");
  return headers;
}

async function send(response: ExpressResponse, answer: Response): Promise<void> {
  response.statusMessage = answer.statusText;
  response.status(answer.status);
  for (const [name, value] of answer.headers) {
    if (name === "set-cookie") response.append(name, value);
    else if (!SERVERS_OWN.has(name)) response.set(name, value);
  }
  if (answer.body) await pourBody(answer.body, response);
  else response.end();
}

/**
 * Writes a body as fast as whoever reads it takes it, so that a long one is never held whole: Remix's own function writes on, whatever the
 * connection takes. Whoever leaves stops the making of the rest. Rejects with what the body errs with; the connection is cut then, so that
 * nobody takes a part for the whole.
 */
export async function pourBody(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  let goOn = () => {};
  let hasLeft = false;
  // Once for all of it: Express's compression hands these on to a stream of its own, from which nobody can take them off again.
  response.on("drain", () => goOn());
  response.once("close", () => {
    hasLeft = true;
    void reader.cancel().catch(() => undefined);
    goOn();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (hasLeft) return;
      if (done) break;
      const drained = new Promise<void>((resolve) => (goOn = resolve));
      const isTaken = response.write(value);
      // Express's compression holds the beginning of a page back until then.
      (response as { flush?: () => void }).flush?.();
      if (!isTaken) await drained;
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}
