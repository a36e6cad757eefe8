import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ActivityPage } from "../components/activity/activity-page.tsx";
import { found } from "../http/request-input.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";
import { readActivity } from "../pages/read-activity.ts";
import { ACTIVITY_ACTORS, ACTIVITY_OUTCOMES } from "../views/activity.ts";

/** A parameter that cannot be read filters nothing. */
const filters = z.object({
  actor: z.enum(ACTIVITY_ACTORS).nullable().catch(null),
  outcome: z.enum(ACTIVITY_OUTCOMES).nullable().catch(null),
  location: z.string().max(100).nullable().catch(null),
  page: z.coerce.number().int().min(1).catch(1),
});

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  const search = new URL(request.url).searchParams;
  const asked = {
    actor: search.get("actor"),
    outcome: search.get("outcome"),
    location: search.get("location"),
    page: search.get("page"),
  };
  const { location: locationId, ...query } = filters.parse(asked);
  return json(found(await readActivity(services, { shop: session.shop, query: { ...query, locationId } })));
}

export default function Activity() {
  return <ActivityPage view={useLoaderData<typeof loader>()} />;
}
