import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { FORM_FIELDS, LONGEST_VALUE } from "../domain/address/form-fields.ts";
import {
  answerExtension,
  badRequest,
  locationIdIn,
  NOT_FOUND,
  postOnly,
  readBody,
  refusal,
} from "../http/extension-api.server.ts";
import type { ExtensionAnswer } from "../http/extension-api.server.ts";
import { services } from "../services.server.ts";
import { finishDetails } from "../pages/finish-details.ts";
import type { SaveOutcome } from "../origins/save-origin-details.ts";

const shape = z.object({
  revision: z.int().min(0),
  readFrom: z.string(),
  values: z.partialRecord(z.enum(FORM_FIELDS), z.string().max(LONGEST_VALUE)),
});

export const loader = postOnly;

/** `{revision, readFrom, values}`: what the short form asked for. Problems come back by field. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop) => {
    const locationId = locationIdIn(params);
    const input = await readBody(request, shape);
    if (!input) return badRequest("revision, readFrom and values as the form had them");
    if (locationId === null) return NOT_FOUND;
    return answerOf(await finishDetails(services, { shop, finished: { ...input, locationId } }));
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
