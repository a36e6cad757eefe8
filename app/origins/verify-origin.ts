import type { Services } from "../ports.ts";
import { verifyTemplate } from "../verification/verify-template.ts";
import type { AskedLately } from "../domain/verification/asked-lately.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

/** Asks carriers to verify an origin's template; not found without one. */
export async function verifyOrigin(
  services: Services,
  { shop, locationId, carriers }: { shop: string; locationId: string; carriers: string[] },
): Promise<Changed | NotFound | AskedLately> {
  const { store } = services;
  const connection = await store.connections.find({ shop, current: true });
  const link =
    connection && (await store.links.find({ shop, connectionId: connection.id, locationId, missingSinceMs: null }));
  if (!link) return { kind: "not_found" };
  return verifyTemplate(services, { shop, templateId: link.templateId, carriers });
}
