import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { SettingsPage } from "../../components/settings/settings-page.tsx";
import { found, readIntent } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { readSettings } from "../../pages/read-settings.ts";
import { perform } from "./perform.ts";
import { settingsIntent } from "./schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  return json(found(await readSettings(services, { shop: session.shop })));
}

export async function action({ request }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const asked = await readIntent(request, settingsIntent);
  return json(found(await perform(services, { shop: session.shop, asked })));
}

export default function Settings() {
  return <SettingsPage view={useLoaderData<typeof loader>()} />;
}
