import type { LoaderFunctionArgs } from "@remix-run/node";
import { found } from "../http/request-input.ts";
import { authenticate } from "../shopify.server.ts";
import { download, languageOf } from "../spreadsheet/download.ts";
import { exportOrigins } from "../spreadsheet/export-origins.ts";
import { originsQueryOf } from "./app.origins._index/schema.ts";

/** The list of origins as a file, with the list's own query; `language` is the page's. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const search = new URL(request.url).searchParams;
  const asked = { shop: session.shop, query: originsQueryOf(search), language: languageOf(search) };
  return download(found(await exportOrigins(services, asked)));
}
