import type { AskedLately } from "../domain/verification/asked-lately.ts";
import type { Services } from "../ports.ts";
import { requestVerification } from "./request-verification.ts";
import { runNow } from "../runs/run-now.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

/** Asks carriers to verify a template of the account, whether or not it is linked to a location. */
export async function verifyTemplate(
  services: Services,
  { shop, templateId, carriers }: { shop: string; templateId: string; carriers: string[] },
): Promise<Changed | NotFound | AskedLately> {
  const connection = await services.store.connections.find({ shop, current: true });
  const known = connection && (await services.store.templates.find({ shop, connectionId: connection.id, templateId }));
  if (!known) return { kind: "not_found" };
  const requested = await requestVerification(services, { shop, templateId, carriers });
  if (requested.againAtMs !== null) return { kind: "asked_lately", againAtMs: requested.againAtMs };
  return { kind: "done", progress: await runNow(services, { shop, ...requested }) };
}
