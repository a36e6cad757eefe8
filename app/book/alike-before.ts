import { fitOf, mayBeNamed } from "../domain/plan/create-fit.ts";
import type { TemplateDraft } from "../domain/records.ts";
import type { ConnectionRef, Services } from "../ports.ts";
import { sentWithin } from "../runs/known-made.ts";

/**
 * What is known to have a create's words already: none of these is what it will make. What the shop's other client ids know of counts: they
 * may open the same account, and a template's id is unique in an environment.
 */
export async function alikeBefore(
  { store }: Pick<Services, "store">,
  { ref, payload }: { ref: ConnectionRef; payload: TemplateDraft },
): Promise<string[]> {
  const known = await store.templates.list({ shop: ref.shop });
  const alike = known.filter(({ template }) => fitOf(template, payload) > 0);
  const there = await sentWithin(store, { environment: ref.environment, sent: alike });
  return [...new Set(there.map(({ templateId }) => templateId))];
}

/** Of rows that cannot be read and have an id: what may have a create's words, by its name, and is there already. */
export async function unreadableBefore(
  { store }: Pick<Services, "store">,
  { ref, payload }: { ref: ConnectionRef; payload: TemplateDraft },
): Promise<string[]> {
  const connections = await store.connections.list({ shop: ref.shop, environment: ref.environment });
  const rows = connections.flatMap(({ bookUnreadable }) => bookUnreadable);
  const mayBe = rows.filter(({ name }) => name === null || mayBeNamed(name, payload.alias_name));
  return mayBe.flatMap(({ id }) => (id === null ? [] : [id]));
}
