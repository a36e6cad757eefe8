import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { carrierKey } from "../domain/carriers.ts";
import { answerExtension, badRequest, locationIdIn, NOT_FOUND, postOnly, readBody } from "../extension-api.server.ts";
import { services } from "../services.server.ts";
import { verifyOrigin } from "../use-cases/verify-origin.ts";

const shape = z.object({ carriers: z.array(z.string().max(100)).min(1).max(20) });

export const loader = postOnly;

/** `{carriers}`: asks them to verify the origin's template. Pressed ten times it is one. */
export function action({ request, params }: ActionFunctionArgs) {
  return answerExtension(request, async (shop) => {
    const locationId = locationIdIn(params);
    const input = await readBody(request, shape);
    const carriers = [...new Set(input?.carriers.map(carrierKey))].filter((carrier) => carrier !== null);
    if (carriers.length === 0) return badRequest("carriers: one to twenty names");
    const outcome = locationId === null ? null : await verifyOrigin(services, { shop, locationId, carriers });
    return outcome?.kind === "done" ? { body: { progress: outcome.progress.kind } } : NOT_FOUND;
  });
}
