import { newTemplate } from "../domain/new-records.ts";
import { stillEmptied } from "../domain/plan/emptied.ts";
import type { LinkRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { verificationKey } from "../domain/verification/verification-key.ts";

/**
 * A link that another client id of the same account left passes over to this one, with its template and what the carriers said of it. A
 * location that has one here keeps that. In the caller's transaction.
 */
export async function passLinkOver(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { link, connectionId: to }: { link: LinkRecord; connectionId: string },
): Promise<void> {
  const { shop, connectionId: from, locationId, templateId } = link;
  if (await tables.links.find({ shop, connectionId: to, locationId })) return;
  if ((await tables.links.update({ id: link.id, connectionId: from }, { connectionId: to })) === 0) return;
  const { unnamed = null } = (await tables.connections.find({ id: from })) ?? {};
  if (unnamed) await tables.connections.update({ id: to, unnamed: null }, { unnamed });
  await passTemplateOver(services, tables, { link, connectionId: to });
  const verdicts = await tables.verifications.list({ shop, connectionId: from, templateId });
  for (const verdict of verdicts) {
    // A list read meanwhile only tells the word that stands there, not that it answers us.
    await tables.verifications.delete({ shop, connectionId: to, templateId, carrier: verdict.carrier });
    await tables.verifications.insert({ ...verdict, connectionId: to });
  }
  await tables.verifications.delete({ shop, connectionId: from, templateId });
  if (!verdicts.some(({ question }) => question !== null)) return;
  await requestWork(services, tables, { shop, kind: "verification", key: verificationKey(to, templateId) });
}

/**
 * One that no listing over this client id has shown yet is known all the same: marked, so that it is read before anything rests on it.
 * What a write emptied or replaced there is remembered, too: nothing over this client id showed what it had said, and the first readings
 * may still be behind what was written over the other one.
 */
async function passTemplateOver(
  { clock }: Pick<Services, "clock">,
  tables: Tables,
  { link, connectionId: to }: { link: LinkRecord; connectionId: string },
): Promise<void> {
  const { shop, connectionId: from, templateId } = link;
  const row = await tables.templates.find({ shop, connectionId: from, templateId });
  if (!row) return;
  const key = { shop, connectionId: to, templateId };
  const there = await tables.templates.find(key);
  if (there) {
    const replaced = there.replaced || row.replaced ? [...(row.replaced ?? []), ...(there.replaced ?? [])] : null;
    // Of a client id that was used before, it may be long out of date: what the next listing finds emptied is as it was seen last.
    const seenLast = row.readAtMs > there.readAtMs ? { template: row.template, emptied: row.emptied } : null;
    const emptied = there.emptied ?? stillEmptied(row, there.template);
    await tables.templates.update(key, { emptied, ...seenLast, replaced });
    return;
  }
  const { template, emptied, readAtMs, aloneAtMs, disputedSinceMs, replaced } = row;
  const known = newTemplate({ shop, connectionId: to, template, readAtMs, reading: 0 });
  const remembered = { emptied, aloneAtMs, disputedSinceMs, replaced };
  await tables.templates.insert({ ...known, ...remembered, unlistedSinceMs: clock.nowMs() });
}
