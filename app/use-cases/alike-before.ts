import { mayBeMadeFrom, mayBeNamed } from "../domain/plan.ts";
import type { TemplateDraft } from "../domain/records.ts";
import type { ConnectionRef, Services } from "../ports.ts";

/** What is known to have a create's words already: none of these is what it will make. */
export async function alikeBefore(
  { store }: Pick<Services, "store">,
  { ref, payload }: { ref: ConnectionRef; payload: TemplateDraft },
): Promise<string[]> {
  const known = await store.templates.list({ shop: ref.shop, connectionId: ref.id });
  return known.filter(({ template }) => mayBeMadeFrom(template, payload)).map(({ templateId }) => templateId);
}

/** Of rows that cannot be read and have an id: what may have a create's words, by its name, and is there already. */
export async function unreadableBefore(
  { store }: Pick<Services, "store">,
  { ref, payload }: { ref: ConnectionRef; payload: TemplateDraft },
): Promise<string[]> {
  const connection = await store.connections.find({ id: ref.id });
  const rows = connection?.bookUnreadable ?? [];
  const mayBe = rows.filter(({ name }) => name === null || mayBeNamed(name, payload.alias_name));
  return mayBe.flatMap(({ id }) => (id === null ? [] : [id]));
}
