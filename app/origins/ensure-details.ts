import { newDetails } from "../domain/new-records.ts";
import type { DetailsRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** The details of a location, made empty when nobody said anything of it yet. */
export async function ensureDetails(
  tables: Pick<Tables, "details">,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<DetailsRecord> {
  const known = await tables.details.find({ shop, locationId });
  if (known) return known;
  const empty = newDetails({ shop, locationId });
  await tables.details.insert(empty);
  return empty;
}
