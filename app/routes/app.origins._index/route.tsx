import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { OriginsPage } from "../../components/origins/origins-page.tsx";
import { found, readIntent } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { readOrigins } from "../../pages/read-origins.ts";
import { perform } from "./perform.ts";
import { originsIntent, originsQueryOf } from "./schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const query = originsQueryOf(new URL(request.url).searchParams);
  return json({ view: found(await readOrigins(services, { shop: session.shop, query })) });
}

export async function action({ request }: ActionFunctionArgs) {
  const { session, services, spend } = await authenticate.admin(request);
  const asked = await readIntent(request, originsIntent);
  return json(found(await perform(services, { shop: session.shop, asked, spend })));
}

export default function Origins() {
  return <OriginsPage view={useLoaderData<typeof loader>().view} />;
}
