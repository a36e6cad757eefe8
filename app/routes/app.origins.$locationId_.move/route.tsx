import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { MovePage } from "../../components/move/move-page.tsx";
import { locationIdOf } from "../../domain/location-id.ts";
import { found, readIntent } from "../../http/request-input.ts";
import { readMove } from "../../pages/read-move.ts";
import { authenticate } from "../../shopify.server.ts";
import { perform } from "./perform.ts";
import { moveIntent } from "./schema.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const locationId = found(locationIdOf(params.locationId));
  return json({ view: found(await readMove(services, { shop: session.shop, locationId })) });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const locationId = found(locationIdOf(params.locationId));
  const asked = await readIntent(request, moveIntent);
  const answer = await perform(services, { shop: session.shop, locationId, asked });
  return json({ intent: asked.intent, ...found(answer.kind === "not_found" ? null : answer) });
}

export default function Move() {
  const { view } = useLoaderData<typeof loader>();
  return <MovePage key={view.legacyId} view={view} />;
}
