import type { Services } from "../ports.ts";
import { linkPreview } from "../readings/link-preview.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import type { LinkPreview } from "../views/origin.ts";

/** What linking a template to a location would keep and change, from the database. Null when the shop has no such location or template. */
export async function readLinkPreview(
  services: Services,
  { shop, locationId, templateId }: { shop: string; locationId: string; templateId: string },
): Promise<LinkPreview | null> {
  const known = await readOriginFacts(services, { shop, locationId });
  const origin = known?.origins[0];
  const connection = known?.connection;
  if (!origin || !connection) return null;
  const found = await services.store.templates.find({ shop, connectionId: connection.id, templateId });
  return found && linkPreview(origin, { connection, template: found.template });
}
