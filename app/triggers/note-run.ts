import { idsOfVerification } from "../domain/verification/verification-key.ts";
import type { Tables } from "../ports.ts";
import type { Run } from "../runs/run.ts";
import { noteOrigins } from "./note-origins.ts";
import { requestLook } from "./request-look.ts";

/** What a run has come to, told of its origin; in the transaction that writes the run's end. */
export async function noteRun({ services, item }: Run, tables: Tables): Promise<void> {
  const { shop, kind, key } = item;
  if (kind === "location") return noteOrigins(services, tables, { shop, locationIds: [key] });
  if (kind === "reconcile") await requestLook(services, tables, shop);
  if (kind !== "verification") return;
  const link = await tables.links.find({ shop, ...idsOfVerification(key) });
  if (link) await noteOrigins(services, tables, { shop, locationIds: [link.locationId] });
}
