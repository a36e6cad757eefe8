import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerExtension, badRequest, refusal } from "../http/extension-api.server.ts";
import { config } from "../services.server.ts";
import { readOrderOrigins } from "../pages/read-order-origins.ts";
import type { OrderOriginsAnswer } from "../views/order-origins.ts";

/** More locations than any order ships from. */
const MOST_LOCATIONS = 50;
const LOCATION_ID = /^gid:\/\/shopify\/Location\/\d{1,20}$/;

/** `?locations=gid,gid`: what the app's database holds of these locations. */
export function loader({ request }: LoaderFunctionArgs) {
  return answerExtension(request, async (shop, services) => {
    const asked = new URL(request.url).searchParams.get("locations") ?? "";
    const locationIds = [...new Set(asked.split(",").filter(Boolean))];
    if (locationIds.length > MOST_LOCATIONS || !locationIds.every((id) => LOCATION_ID.test(id))) {
      return badRequest(`locations: up to ${MOST_LOCATIONS} ids of locations, separated by commas`);
    }
    const view = await readOrderOrigins(services, { shop, locationIds });
    const answer: OrderOriginsAnswer = { ...view, service: config.SHIPPING_SERVICE_NAME ?? null };
    return { body: answer };
  });
}

export function action({ request }: LoaderFunctionArgs) {
  return answerExtension(request, async () => refusal(405, "method", "Ask for this with GET"));
}
