import type { LoaderFunctionArgs } from "@remix-run/node";
import { authenticate } from "../shopify.server.ts";

/** The URLs of Shopify's package: the page that gets a new session token, and the one that leaves the frame. */
export async function loader({ request }: LoaderFunctionArgs) {
  await authenticate.admin(request);
  return null;
}
