import type { LoaderFunctionArgs } from "@remix-run/node";
import { withNonce } from "../http/document/package-document.ts";
import { authenticate } from "../shopify.server.ts";

/** The URLs of Shopify's package: the page that gets a new session token, and the one that leaves the frame. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  try {
    await authenticate.admin(request);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof Response) || !thrown.headers.get("Content-Type")?.startsWith("text/html")) throw thrown;
    return new Response(withNonce(await thrown.text(), context.nonce as string), thrown);
  }
}
