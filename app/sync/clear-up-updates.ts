import type { AddressTemplate } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { stillEmptied } from "../domain/plan/emptied.ts";
import { isLeftAlone } from "../runs/held-template.ts";
import { superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { wantVerification } from "../verification/want-verification.ts";
import { whatLanded } from "./what-landed.ts";

/**
 * Clears up a location's unclear updates by its template as a change by hand has just read it: a location whose own write always fails
 * would hold up whoever mends it by hand.
 *
 * @throws AppError `superseded` where a run of the location looks after one, or it may still take effect.
 */
export async function clearUpUpdates(
  { services, item }: Run,
  tables: Tables,
  { ref, template }: { ref: ConnectionRef; template: AddressTemplate },
): Promise<void> {
  const { shop, id: connectionId } = ref;
  const unclear = { shop, connectionId, templateId: template.id, workItemId: { not: item.id } };
  for (const pendingWrite of await tables.pendingWrites.list(unclear)) {
    if (!(await isLeftAlone(services, tables, pendingWrite)))
      throw superseded("another write to this template is unclear");
    await tables.pendingWrites.delete({ id: pendingWrite.id });
    const link = await tables.links.find({ shop, connectionId, locationId: pendingWrite.locationId! });
    const record = await tables.shops.find({ shop });
    if (!link || !record || link.templateId !== template.id) continue;
    const known = await tables.templates.find({ shop, connectionId, templateId: template.id });
    const row = { template, emptied: stillEmptied(known, template) };
    const landed = whatLanded(link, pendingWrite, row);
    if (Object.keys(landed).length === 0) continue;
    await tables.links.update({ id: link.id }, landed);
    await wantVerification(services, tables, { ref, row, policies: record.policies });
  }
}
