import type { ActionFunctionArgs } from "@remix-run/node";
import { answerExtension, locationIdIn, NOT_FOUND, postOnly } from "../http/extension-api.server.ts";
import { syncOrigin } from "../origins/sync-origin.ts";

export const loader = postOnly;

/** Has the location and its template read again, and waits a few seconds for the run's end. The run goes on even if the wait is over. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop, services) => {
    const locationId = locationIdIn(params);
    const outcome = locationId === null ? null : await syncOrigin(services, { shop, locationId });
    return outcome?.kind === "done" ? { body: { progress: outcome.progress.kind } } : NOT_FOUND;
  });
}
