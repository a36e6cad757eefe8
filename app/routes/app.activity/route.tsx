import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ActivityPage } from "../../components/activity/activity-page.tsx";
import { found } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { readActivity } from "../../pages/read-activity.ts";
import { activityQueryOf } from "./schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const query = activityQueryOf(new URL(request.url).searchParams);
  return json(found(await readActivity(services, { shop: session.shop, query })));
}

export default function Activity() {
  return <ActivityPage view={useLoaderData<typeof loader>()} />;
}
