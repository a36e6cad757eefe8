import type { ActionFunctionArgs } from "@remix-run/node";
import {
  answerExtension,
  badRequest,
  NOT_FOUND,
  OVER_TEST_ACCOUNT,
  postOnly,
  readBody,
  refusal,
} from "../../http/extension-api.server.ts";
import { config } from "../../services.server.ts";
import type { OrderListAnswer } from "../../views/order-origins.ts";
import { perform } from "./perform.ts";
import { manyIntent } from "./schema.ts";

export const loader = postOnly;

/** `{intent, locations}`: the origins of the orders that are selected in the list of orders, read, verified or synced in one question. */
export function action({ request }: ActionFunctionArgs) {
  return answerExtension(request, async (shop, services, spend) => {
    const asked = await readBody(request, manyIntent);
    if (!asked) return badRequest("intent: read, verify or sync; locations: up to a thousand numbers of locations");
    const outcome = await perform(services, { shop, asked, spend });
    if (outcome.kind === "read") {
      const answer: OrderListAnswer = { ...outcome.view, service: config.SHIPPING_SERVICE_NAME ?? null };
      return { body: answer };
    }
    if (outcome.kind === "started") return { body: { count: outcome.count } };
    if (outcome.kind === "busy") return refusal(409, "busy", "Another job of this shop is still running");
    return outcome.kind === "test_account" ? OVER_TEST_ACCOUNT : NOT_FOUND;
  });
}
