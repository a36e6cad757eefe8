import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ReportPage } from "../components/report/report-page.tsx";
import { locationIdOf } from "../domain/location-id.ts";
import { found } from "../http/request-input.ts";
import { readReport } from "../pages/read-report.ts";
import { authenticate } from "../shopify.server.ts";
import { activityQueryOf } from "./app.activity/schema.ts";

/** A report on one origin to be printed: `?from=2026-11-01&to=2026-11-24`, by default the last 30 days. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const { from, to } = activityQueryOf(new URL(request.url).searchParams);
  const locationId = found(locationIdOf(params.locationId));
  return json({ view: found(await readReport(services, { shop: session.shop, locationId, query: { from, to } })) });
}

export default function Report() {
  return <ReportPage view={useLoaderData<typeof loader>().view} />;
}
