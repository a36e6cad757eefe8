import { MOST_CARRIERS_KEPT } from "../domain/verification/carriers.ts";
import type { VerificationRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/**
 * Drops what is kept of a template's carriers beyond the most, so that `adding` more fit: first those of whom nothing is asked, and of these
 * the one that has not changed for longest. In the caller's transaction. @param known all that is kept of the template.
 */
export async function makeRoom(
  tables: Pick<Tables, "verifications">,
  { known, adding }: { known: readonly VerificationRecord[]; adding: number },
): Promise<void> {
  const tooMany = known.length + adding - MOST_CARRIERS_KEPT;
  if (tooMany <= 0) return;
  const byAge = known.toSorted((a, b) => a.changedAtMs - b.changedAtMs);
  const leaving = byAge.toSorted((a, b) => Number(a.question !== null) - Number(b.question !== null)).slice(0, tooMany);
  for (const { shop, connectionId, templateId, carrier } of leaving)
    await tables.verifications.delete({ shop, connectionId, templateId, carrier });
}
