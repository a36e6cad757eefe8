import type { ActionFunctionArgs } from "@remix-run/node";
import { answerExtension, locationIdIn, NOT_FOUND, postOnly } from "../http/extension-api.server.ts";
import { services } from "../services.server.ts";
import { syncOrigin } from "../origins/sync-origin.ts";

export const loader = postOnly;

/** Reads the location and its template anew; waits a few seconds for the end, which comes by itself. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop) => {
    const locationId = locationIdIn(params);
    const outcome = locationId === null ? null : await syncOrigin(services, { shop, locationId });
    return outcome?.kind === "done" ? { body: { progress: outcome.progress.kind } } : NOT_FOUND;
  });
}
