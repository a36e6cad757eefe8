import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { readRevision } from "../pages/read-revision.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";

/** What an open page asks for in the background, to know when to read its data again. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  return json({ revision: await readRevision(services, { shop: session.shop }) });
}
