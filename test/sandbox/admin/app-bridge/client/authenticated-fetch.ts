import { tell } from "./channel.ts";
import { idToken } from "./id-token.ts";

const RETRY_HEADER = "X-Shopify-Retry-Invalid-Session-Request";
const REAUTHORIZE_HEADER = "X-Shopify-API-Request-Failure-Reauthorize-Url";

const nativeFetch = window.fetch.bind(window);

/**
 * Puts a session token on every request to the app's own origin, and repeats a request once when the app answers that the token has
 * expired.
 */
export function installAuthenticatedFetch(): void {
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== location.origin || request.headers.has("Authorization"))
      return nativeFetch(request);
    const again = request.clone();
    const response = await send(request, await idToken());
    const answer =
      response.headers.get(RETRY_HEADER) === "1" ? await send(again, await idToken({ fresh: true })) : response;
    const reauthorize = answer.headers.get(REAUTHORIZE_HEADER);
    if (reauthorize) tell("open", { url: reauthorize, target: "_top" });
    return answer;
  };
}

function send(request: Request, token: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("Authorization", `Bearer ${token}`);
  headers.set("X-Requested-With", "XMLHttpRequest");
  return nativeFetch(new Request(request, { headers }));
}
