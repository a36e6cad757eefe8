import type { ActionFunctionArgs } from "@remix-run/node";
import {
  answerExtension,
  badRequest,
  locationIdIn,
  NOT_FOUND,
  OVER_TEST_ACCOUNT,
  postOnly,
  readBody,
} from "../../http/extension-api.server.ts";
import { isOverTestAccount } from "../../pages/over-test-account.ts";
import { perform } from "./perform.ts";
import { verifyForm } from "./schema.ts";

export const loader = postOnly;

/** `{carriers}`: asks them to verify the origin's template. Ten presses are one request. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop, services) => {
    const locationId = locationIdIn(params);
    const asked = await readBody(request, verifyForm);
    if (!asked) return badRequest("carriers: one to fifty names");
    if (await isOverTestAccount(services, shop)) return OVER_TEST_ACCOUNT;
    const outcome = locationId === null ? null : await perform(services, { shop, locationId, asked });
    if (outcome === null || outcome.kind === "not_found") return NOT_FOUND;
    // Of whoever was asked lately the block says so itself: it shows since when.
    return { body: { progress: outcome.kind === "done" ? outcome.progress.kind : "done" } };
  });
}
