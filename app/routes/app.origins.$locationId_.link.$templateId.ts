import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { locationIdOf } from "../domain/location-id.ts";
import { found } from "../http/request-input.ts";
import { readLinkPreview } from "../pages/read-link-preview.ts";
import { authenticate } from "../shopify.server.ts";

/** What the dialog to link a template asks for in the background once one is chosen. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const { templateId = "" } = params;
  const locationId = found(locationIdOf(params.locationId));
  return json({ preview: found(await readLinkPreview(services, { shop: session.shop, locationId, templateId })) });
}
