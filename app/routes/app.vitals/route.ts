import type { ActionFunctionArgs } from "@remix-run/node";
import { readIntent } from "../../http/request-input.ts";
import { metrics } from "../../services.server.ts";
import { authenticate } from "../../shopify.server.ts";
import { perform } from "./perform.ts";
import { vitalsReport } from "./schema.ts";

/** What App Bridge measured of a page, for `/metrics`. Nothing of it is kept with the shop. */
export async function action({ request }: ActionFunctionArgs) {
  await authenticate.admin(request);
  const measured = await readIntent(request, vitalsReport);
  perform(metrics, { measured });
  return new Response(null, { status: 204 });
}
