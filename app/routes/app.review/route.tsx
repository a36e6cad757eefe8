import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ReviewPage } from "../../components/review/review-page.tsx";
import { found, readIntent } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { readReview } from "../../pages/read-review.ts";
import { perform } from "./perform.ts";
import { reviewIntent } from "./schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  return json({ view: found(await readReview(services, { shop: session.shop })) });
}

export async function action({ request }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const asked = await readIntent(request, reviewIntent);
  return json(found(await perform(services, { shop: session.shop, asked })));
}

export default function Review() {
  return <ReviewPage view={useLoaderData<typeof loader>().view} />;
}
