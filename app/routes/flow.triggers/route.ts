import type { ActionFunctionArgs } from "@remix-run/node";
import { readFlowRequest, refused } from "../../http/flow-request.server.ts";
import { services } from "../../services.server.ts";
import { perform } from "./perform.ts";
import { flowTriggerUse } from "./schema.ts";

/**
 * The lifecycle callback of the app's triggers: Shopify Flow says which stores use them. Whoever turns a workflow on cannot do so while this
 * does not answer 2xx, so only a store without the app, and a trigger that the app does not have, are refused.
 */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== "POST") return refused(405, "Flow sends this with POST");
  const read = await readFlowRequest(request, flowTriggerUse);
  if (read instanceof Response) return read;
  const outcome = await perform(services, read);
  if (outcome === "noted") return Response.json({}, { headers: { "Cache-Control": "no-store" } });
  return outcome === "unknown_shop"
    ? refused(404, "Origen is not installed in this store. / Origen no está instalado en esta tienda.")
    : refused(404, "Origen has no such trigger. / Origen no tiene ese activador.");
}

export const loader = () => refused(405, "Flow sends this with POST");
