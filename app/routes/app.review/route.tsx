import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ReviewPage } from "../../components/review/review-page.tsx";
import { found, readIntent } from "../../http/request-input.ts";
import { services } from "../../services.server.ts";
import { authenticate } from "../../shopify.server.ts";
import { confirmReview } from "../../jobs/confirm-review.ts";
import { excludeOrigin } from "../../origins/exclude-origin.ts";
import { readReview } from "../../pages/read-review.ts";
import { reviewIntent, reviewedRow } from "./schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  return json({ view: found(await readReview(services, { shop: session.shop })) });
}

export async function action({ request }: ActionFunctionArgs) {
  const { session } = await authenticate.admin(request);
  const { shop } = session;
  const asked = await readIntent(request, reviewIntent);
  if (asked.intent === "confirm") {
    const { contact, contactRevision } = asked;
    return json(await confirmReview(services, { shop, contact, contactRevision, rows: asked.rows.map(reviewedRow) }));
  }
  const ended = await excludeOrigin(services, { shop, locationId: asked.locationId });
  return json({ kind: found(ended === "excluded" ? ended : null) });
}

export default function Review() {
  return <ReviewPage view={useLoaderData<typeof loader>().view} />;
}
