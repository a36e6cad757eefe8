import type { DetailsRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** The details of a location, made empty when nobody said anything of it yet. */
export async function ensureDetails(
  tables: Pick<Tables, "details">,
  { shop, locationId, nowMs }: { shop: string; locationId: string; nowMs: number },
): Promise<DetailsRecord> {
  const known = await tables.details.find({ shop, locationId });
  if (known) return known;
  const empty: DetailsRecord = {
    shop,
    locationId,
    contact: { name: null, company: null, email: null, phone: null, reference: null, rfc: null },
    split: null,
    inclusion: "policy",
    paused: false,
    adoption: "ask",
    confirmedAtMs: null,
    revision: 0,
    updatedAtMs: nowMs,
  };
  await tables.details.insert(empty);
  return empty;
}
