import type { ActionFunctionArgs } from "@remix-run/node";
import { answerExtension, locationIdIn, NOT_FOUND, OVER_TEST_ACCOUNT, postOnly } from "../http/extension-api.server.ts";
import { syncOrigin } from "../origins/sync-origin.ts";
import { isOverTestAccount } from "../pages/over-test-account.ts";

export const loader = postOnly;

/** Has the location and its template read again, and waits a few seconds for the run's end. The run goes on even if the wait is over. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop, services) => {
    if (await isOverTestAccount(services, shop)) return OVER_TEST_ACCOUNT;
    const locationId = locationIdIn(params);
    const outcome = locationId === null ? null : await syncOrigin(services, { shop, locationId });
    return outcome?.kind === "done" ? { body: { progress: outcome.progress.kind } } : NOT_FOUND;
  });
}
