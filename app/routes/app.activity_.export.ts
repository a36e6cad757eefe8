import type { LoaderFunctionArgs } from "@remix-run/node";
import { found } from "../http/request-input.ts";
import { authenticate } from "../shopify.server.ts";
import { download, languageOf } from "../spreadsheet/download.ts";
import { exportActivity } from "../spreadsheet/export-activity.ts";
import { activityQueryOf } from "./app.activity/schema.ts";

/** The activity log as a file, with the page's own query; `language` is the page's. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const search = new URL(request.url).searchParams;
  const asked = { shop: session.shop, query: activityQueryOf(search), language: languageOf(search) };
  return download(found(await exportActivity(services, asked)));
}
