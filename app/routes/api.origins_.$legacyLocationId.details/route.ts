import type { ActionFunctionArgs } from "@remix-run/node";
import {
  answerExtension,
  badRequest,
  locationIdIn,
  NOT_FOUND,
  OVER_TEST_ACCOUNT,
  postOnly,
  readBody,
  refusal,
} from "../../http/extension-api.server.ts";
import type { ExtensionAnswer } from "../../http/extension-api.server.ts";
import type { SaveOutcome } from "../../origins/save-origin-details.ts";
import { isOverTestAccount } from "../../pages/over-test-account.ts";
import { perform } from "./perform.ts";
import { finishedForm } from "./schema.ts";

export const loader = postOnly;

/** `{revision, readFrom, values}`, from the short form. Problems are returned by field. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop, services) => {
    const locationId = locationIdIn(params);
    const asked = await readBody(request, finishedForm);
    if (!asked) return badRequest("revision, readFrom and values as the form had them");
    if (locationId === null) return NOT_FOUND;
    if (await isOverTestAccount(services, shop)) return OVER_TEST_ACCOUNT;
    return answerOf(await perform(services, { shop, locationId, asked }));
  });
}

function answerOf(outcome: SaveOutcome): ExtensionAnswer {
  switch (outcome.kind) {
    case "done":
      return { body: { progress: outcome.progress.kind } };
    case "invalid":
      return {
        status: 422,
        body: { error: { code: "invalid", message: "Some fields need another value", problems: outcome.problems } },
      };
    case "stale":
      return refusal(409, "stale", "Somebody saved this origin since it was shown");
    case "moved":
      return refusal(409, "moved", "The location's address changed in Shopify since it was shown");
    case "not_found":
      return NOT_FOUND;
  }
}
