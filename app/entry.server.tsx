import { createReadableStreamFromReadable } from "@remix-run/node";
import type { AppLoadContext, EntryContext, HandleDataRequestFunction, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { gatherPieces } from "./http/document/document-pieces.server.ts";
import { addLanguage, languageOfRequest, nameService } from "./i18n/i18n.ts";
import english from "./i18n/locales/en.ts";
import spanish from "./i18n/locales/es-MX.ts";
import { keepPage } from "./http/too-many.ts";
import { NonceContext } from "./http/document/nonce.ts";
import { RequestLanguageContext } from "./i18n/request-language.ts";
import { config, log } from "./services.server.ts";
import { addDocumentResponseHeaders } from "./shopify.server.ts";

// The server's process takes everything it needs from this bundle, so that there is one of each.
export { config, health, log, metrics, ready, startApp, traces, webhooks, withLogFields } from "./services.server.ts";

nameService(config.SHIPPING_SERVICE_NAME ?? null);
addLanguage("en", english);
addLanguage("es-MX", spanish);

export const streamTimeout = 15_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  ...[context, { nonce: given }]: [EntryContext, AppLoadContext]
): Promise<Response> {
  const nonce = given as string;
  preloadAppBridge(request, headers);
  const ready = isbot(request.headers.get("User-Agent") ?? "") ? "onAllReady" : "onShellReady";

  return new Promise((resolve, reject) => {
    let shellSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RequestLanguageContext.Provider value={languageOfRequest(request)}>
          <RemixServer context={context} url={request.url} abortDelay={streamTimeout} nonce={nonce} />
        </RequestLanguageContext.Provider>
      </NonceContext.Provider>,
      {
        nonce,
        [ready]: () => {
          shellSent = true;
          const body = gatherPieces();
          headers.set("Content-Type", "text/html; charset=utf-8");
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onShellError: reject,
        onError(error) {
          status = 500;
          if (shellSent) log.error({ error }, "a page failed while it was streamed");
        },
      },
    );
    setTimeout(abort, streamTimeout + 1_000).unref();
  });
}

export const handleDataRequest: HandleDataRequestFunction = (answer) => keepPage(answer);

/** What a loader or action threw and nobody expected. Aborted requests are no news, nor is an address that leads nowhere. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  log.error({ error, path: new URL(request.url).pathname }, "a request failed");
};

/** Shopify's package does it where the address names a shop; its policy is set for every answer in http/security-headers.ts. */
function preloadAppBridge(request: Request, headers: Headers): void {
  addDocumentResponseHeaders(request, headers);
  if (headers.has("Link")) headers.set("Link", `<${config.APP_BRIDGE_URL}>; rel="preload"; as="script"`);
}
