import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import {
  answerExtension,
  badRequest,
  locationIdIn,
  NOT_FOUND,
  postOnly,
  readBody,
} from "../http/extension-api.server.ts";
import { someCarrierNames } from "../http/request-input.ts";
import { services } from "../services.server.ts";
import { verifyOrigin } from "../origins/verify-origin.ts";

const shape = z.object({ carriers: someCarrierNames });

export const loader = postOnly;

/** `{carriers}`: asks them to verify the origin's template. Pressed ten times it is one. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop) => {
    const locationId = locationIdIn(params);
    const input = await readBody(request, shape);
    if (!input) return badRequest("carriers: one to fifty names");
    const outcome = locationId === null ? null : await verifyOrigin(services, { shop, locationId, ...input });
    return outcome?.kind === "done" ? { body: { progress: outcome.progress.kind } } : NOT_FOUND;
  });
}
