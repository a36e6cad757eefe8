import type { LoaderFunctionArgs } from "@remix-run/node";
import { authenticate } from "../shopify.server.ts";

/** The addresses of Shopify's package: the page that fetches a new session token, and the one that leaves the frame. */
export async function loader({ request }: LoaderFunctionArgs) {
  await authenticate.admin(request);
  return null;
}
