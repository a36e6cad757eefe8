import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ShouldRevalidateFunction } from "@remix-run/react";
import type { TemplateAnswer } from "../../components/address-book/template-intent.ts";
import { TemplatePage } from "../../components/address-book/template-page.tsx";
import { found, readIntent } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { readTemplate, wasDeletedByHand } from "../../pages/read-template.ts";
import { perform } from "./perform.ts";
import { templateIntent } from "./schema.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { session, services, redirect } = await authenticate.admin(request);
  const asked = { shop: session.shop, templateId: found(params.templateId) };
  const view = await readTemplate(services, asked);
  // Whoever deleted it may still have its page open, where the deletion took a while.
  if (view === null && (await wasDeletedByHand(services, asked))) throw redirect("/app/address-book");
  return json({ view: found(view), draftId: services.random.id() });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const asked = await readIntent(request, templateIntent);
  return json(found(await perform(services, { shop: session.shop, templateId: found(params.templateId), asked })));
}

/** A template that was just deleted is not read again, because the page leaves by itself. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) => {
  const answer = actionResult as TemplateAnswer | undefined;
  const gone = answer?.intent === "delete" && (answer.outcome.kind === "done" || answer.outcome.kind === "gone");
  return gone ? false : defaultShouldRevalidate;
};

export default function Template() {
  const { view, draftId } = useLoaderData<typeof loader>();
  return <TemplatePage key={view.templateId} view={view} draftId={draftId} />;
}
