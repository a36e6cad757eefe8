import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { found } from "../http/request-input.ts";
import { authenticate } from "../shopify.server.ts";
import { cancelJob } from "../jobs/cancel-job.ts";
import { readJob } from "../jobs/read-job.ts";

/** A bulk job, for the pages that show it: GET returns its progress, POST stops the rest of it. */

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  return json(found(await readJob(services, { shop: session.shop, jobId: found(params.jobId) })));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const ended = await cancelJob(services, { shop: session.shop, jobId: found(params.jobId) });
  return json({ kind: found(ended === "not_found" ? null : ended) });
}
