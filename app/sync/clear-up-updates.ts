import type { AddressTemplate, LinkRecord, PendingWrite } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { stillEmptied } from "../domain/plan/emptied.ts";
import { isLeftAlone } from "../runs/held-template.ts";
import { superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { settleUnclear } from "./settle-unclear.ts";

/** A template as a change by hand has just read it. */
interface Read {
  ref: ConnectionRef;
  template: AddressTemplate;
}

/**
 * Clears up a location's unclear updates by its template as a change by hand has just read it: a location whose own write always fails
 * would hold up whoever mends it by hand.
 *
 * @throws AppError `superseded` where a run of the location looks after one, or it may still take effect.
 */
export async function clearUpUpdates(run: Run, tables: Tables, { ref, template }: Read): Promise<void> {
  const { services, item } = run;
  const place = { shop: ref.shop, connectionId: ref.id, templateId: template.id };
  for (const pendingWrite of await tables.pendingWrites.list({ ...place, workItemId: { not: item.id } })) {
    if (!(await isLeftAlone(services, tables, pendingWrite)))
      throw superseded("another write to this template is unclear");
    await tables.pendingWrites.delete({ id: pendingWrite.id });
    const link = await tables.links.find({ ...place, locationId: pendingWrite.locationId! });
    if (link) await settle(run, tables, { ref, template, link, pendingWrite });
  }
  const link = await tables.links.find(place);
  if (link?.unclear) await settle(run, tables, { ref, template, link });
}

async function settle(
  { services }: Run,
  tables: Tables,
  { template, ...settled }: Read & { link: LinkRecord; pendingWrite?: PendingWrite },
): Promise<void> {
  const { shop, id: connectionId } = settled.ref;
  const record = await tables.shops.find({ shop });
  const known = await tables.templates.find({ shop, connectionId, templateId: template.id });
  const row = { template, emptied: stillEmptied(known, template) };
  if (record) await settleUnclear(services, tables, { ...settled, row, policies: record.policies });
}
