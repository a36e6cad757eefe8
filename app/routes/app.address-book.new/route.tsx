import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { NewTemplatePage } from "../../components/address-book/new-template-page.tsx";
import { found, readIntent } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { perform } from "./perform.ts";
import { newTemplateIntent } from "./schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { services } = await authenticate.admin(request);
  return json({ draftId: services.random.id() });
}

export async function action({ request }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const asked = await readIntent(request, newTemplateIntent);
  return json(found(await perform(services, { shop: session.shop, asked })));
}

export default function NewTemplate() {
  return <NewTemplatePage draftId={useLoaderData<typeof loader>().draftId} />;
}
