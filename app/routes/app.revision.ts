import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { probeWhileSeen } from "../pages/probe-while-seen.ts";
import { readRevision } from "../pages/read-revision.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";

/** What an open page asks for in the background, to know when to read its data again. It is also what says that somebody looks at a page. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  await probeWhileSeen(services, { shop: session.shop });
  return json({ revision: await readRevision(services, { shop: session.shop }) });
}
