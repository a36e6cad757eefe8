import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { TemplateAnswer } from "../components/address-book/template-intent.ts";
import { NewTemplatePage } from "../components/address-book/new-template-page.tsx";
import { found, readIntent } from "../http/request-input.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";
import { saveTemplate } from "../by-hand/save-template.ts";
import { templateIntent } from "./app.address-book.$templateId/schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await authenticate.admin(request);
  return json({ draftId: services.random.id() });
}

export async function action({ request }: ActionFunctionArgs) {
  const { session } = await authenticate.admin(request);
  const asked = await readIntent(request, templateIntent);
  const { draftId, draft } = found(asked.intent === "save" ? asked : null);
  const outcome = await saveTemplate(services, { shop: session.shop, draftId, templateId: null, draft, base: null });
  const answer: TemplateAnswer = {
    intent: "save",
    outcome: found(outcome.kind === "not_found" ? null : outcome),
    nextDraftId: services.random.id(),
  };
  return json(answer);
}

export default function NewTemplate() {
  return <NewTemplatePage draftId={useLoaderData<typeof loader>().draftId} />;
}
