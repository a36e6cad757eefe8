import { markerIn, shortenedTo } from "../domain/marker.ts";
import { mayBeMadeFrom } from "../domain/plan/create-fit.ts";
import { holds } from "../domain/plan/plan.ts";
import type { AddressTemplate, PendingWrite, TemplateDraft, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { madeByForms } from "../runs/known-made.ts";

/**
 * What a create for a location made, where the service shortened its alias and the marker is lost: known by the beginning of its
 * name and by its words. Never one that was known before, stands for a location, carries a marker, or is what a form made.
 */
export async function findShortened(
  tables: Pick<Tables, "connections" | "links" | "drafts">,
  { ref, pendingWrite, templates }: { ref: ConnectionRef; pendingWrite: PendingWrite; templates: TemplateRecord[] },
): Promise<TemplateRecord | null> {
  const payload = pendingWrite.payload as TemplateDraft;
  const like = templates.filter(
    ({ templateId, template }) =>
      !pendingWrite.alike.includes(templateId) &&
      markerIn(template.alias_name) === null &&
      mayBeMadeFrom(template, payload),
  );
  if (like.length === 0) return null;
  const { environment } = ref;
  const templateIds = like.map((row) => row.templateId);
  const links = await tables.links.list({ environment, templateId: { in: templateIds } });
  const linked = new Set(links.map(({ templateId }) => templateId));
  const forms = await madeByForms(tables, { environment, templateIds });
  const free = like.filter(({ templateId }) => !linked.has(templateId) && !forms.has(templateId));
  free.sort((a, b) => (a.templateId < b.templateId ? -1 : 1));
  const whole = free.find(({ template }) => holds(template, { ...payload, alias_name: template.alias_name }));
  return whole ?? free[0] ?? null;
}

/**
 * What the answer to a write tells of how many characters of an alias the service keeps, kept for the next one. True when it
 * shortened this one, whose marker it may have cut.
 */
export async function learnAliasLimit(
  tables: Pick<Tables, "connections">,
  { ref, said, answer }: { ref: Pick<ConnectionRef, "id">; said: string | undefined; answer: AddressTemplate },
): Promise<boolean> {
  const limit = said === undefined ? null : shortenedTo(said, answer.alias_name);
  if (limit === null) return false;
  const known = (await tables.connections.find({ id: ref.id }))?.aliasLimit ?? null;
  if (known === null || limit < known) await tables.connections.update({ id: ref.id }, { aliasLimit: limit });
  return true;
}
