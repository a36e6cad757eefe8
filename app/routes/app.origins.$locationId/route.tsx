import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { OriginPage } from "../../components/origin/origin-page.tsx";
import { locationIdOf } from "../../domain/location-id.ts";
import { found, readIntent } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { readOrigin } from "../../pages/read-origin.ts";
import { perform } from "./perform.ts";
import { originIntent } from "./schema.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const locationId = found(locationIdOf(params.locationId));
  const view = found(await readOrigin(services, { shop: session.shop, locationId }));
  return json({ view, draftId: services.random.id() });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const locationId = found(locationIdOf(params.locationId));
  const asked = await readIntent(request, originIntent);
  const answer = await perform(services, { shop: session.shop, locationId, asked });
  return json({ intent: asked.intent, ...found(answer.kind === "not_found" ? null : answer) });
}

export default function Origin() {
  const { view, draftId } = useLoaderData<typeof loader>();
  return <OriginPage key={view.locationId} view={view} draftId={draftId} />;
}
