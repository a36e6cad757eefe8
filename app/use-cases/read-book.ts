import type { AddressTemplate, TemplateRecord } from "../domain/records.ts";
import { valuesOfTemplate } from "../domain/three-way.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { commit, raising, superseded } from "../worker/run.ts";
import type { Run } from "../worker/run.ts";
import type { ReadableAccount } from "../worker/shipping-account.ts";
import { applyLook } from "./apply-look.ts";
import { raiseTarget } from "./raise-target.ts";

/** Reads the whole address book, all pages, and keeps it: templates, what is gone, and what the carriers say meanwhile. */
export async function readBook(run: Run, ref: ConnectionRef, account: ReadableAccount): Promise<AddressTemplate[]> {
  const startedAtMs = run.services.clock.nowMs();
  const templates = await account.listAll();
  await commit(run, (tables) => keepBook(run.services, tables, { ref, templates, startedAtMs }));
  return templates;
}

export async function keepBook(
  services: Services,
  tables: Tables,
  { ref, templates, startedAtMs }: { ref: ConnectionRef; templates: AddressTemplate[]; startedAtMs: number },
): Promise<void> {
  const nowMs = services.clock.nowMs();
  const key = { shop: ref.shop, connectionId: ref.id };
  if ((await tables.connections.update({ id: ref.id, version: ref.version }, { bookReadAtMs: nowMs })) === 0) {
    throw superseded("the connection has changed");
  }
  const known = new Map((await tables.templates.list(key)).map((row) => [row.templateId, row]));
  const listed = new Set(templates.map(({ id }) => id));
  // A row that was read while the pages came knows better than the pages.
  const older = (row: TemplateRecord) => row.readAtMs < startedAtMs;
  const moved: string[] = [];
  for (const row of known.values()) {
    if (listed.has(row.templateId) || !older(row)) continue;
    await forgetTemplate(tables, { ...key, templateId: row.templateId });
    moved.push(row.templateId);
  }
  const news = templates.filter(({ id }) => older(known.get(id) ?? NEVER_READ));
  for (const template of news) {
    const before = known.get(template.id);
    if (!before) await tables.templates.insert({ ...key, templateId: template.id, template, readAtMs: nowMs });
    else if (!same(before.template, template))
      await tables.templates.update({ ...key, templateId: template.id }, { template });
    if (!before || !same(valuesOfTemplate(before.template), valuesOfTemplate(template))) moved.push(template.id);
  }
  await tables.templates.update({ ...key, readAtMs: { lt: startedAtMs } }, { readAtMs: nowMs });
  await applyLook(services, tables, { ref, templates: news });
  await raiseLinked(services, tables, { ref, templateIds: moved });
}

/** Somebody changed or deleted templates that stand for a location: its own run looks at it. */
async function raiseLinked(
  services: Services,
  tables: Tables,
  { ref, templateIds }: { ref: ConnectionRef; templateIds: string[] },
): Promise<void> {
  if (templateIds.length === 0) return;
  const moved = new Set(templateIds);
  for (const { templateId, locationId } of await tables.links.list({ shop: ref.shop, connectionId: ref.id })) {
    if (moved.has(templateId))
      await raiseTarget(tables, { shop: ref.shop, kind: "location", key: locationId, ...raising(services) });
  }
}

const NEVER_READ = { readAtMs: -1 } as TemplateRecord;

/** One template as just read or answered. */
export async function keepTemplate(
  services: Services,
  tables: Tables,
  { ref, template }: { ref: ConnectionRef; template: AddressTemplate },
): Promise<void> {
  const key = { shop: ref.shop, connectionId: ref.id, templateId: template.id };
  const before = await tables.templates.find(key);
  // Later than any reading before it: a plan names the reading it was made from.
  const readAtMs = Math.max(services.clock.nowMs(), (before?.readAtMs ?? 0) + 1);
  if (before) await tables.templates.update(key, { template, readAtMs });
  else await tables.templates.insert({ ...key, template, readAtMs });
  await applyLook(services, tables, { ref, templates: [template] });
}

/** A template that is gone, with what the carriers said of it. */
export async function forgetTemplate(
  tables: Tables,
  key: { shop: string; connectionId: string; templateId: string },
): Promise<void> {
  await tables.templates.delete(key);
  await tables.verifications.delete(key);
}

function same<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
