import { markerIn } from "../domain/marker.ts";
import { fitOf, mayAnswer, mayBeNamed } from "../domain/plan/create-fit.ts";
import type { TemplateDraft } from "../domain/records.ts";
import type { ConnectionRef, Services } from "../ports.ts";
import { filterInTurns } from "../runs/in-turns.ts";
import { sentWithin } from "../runs/known-made.ts";

/**
 * What is known to have a create's words already: none of these is what it will make. What the shop's other client ids know of counts: they
 * may open the same account, and a template's id is unique in an environment.
 */
export async function alikeBefore(
  { store, clock }: Pick<Services, "store" | "clock">,
  { ref, payload }: { ref: ConnectionRef; payload: TemplateDraft },
): Promise<string[]> {
  const known = await store.templates.list({ shop: ref.shop });
  // A create without a marker believes an answer by its words alone, so whatever it would believe and is there already counts.
  const isUnmarked = markerIn(payload.alias_name) === null;
  const alike = await filterInTurns(
    clock,
    known,
    ({ template }) => fitOf(template, payload) > 0 || (isUnmarked && mayAnswer(template, payload)),
  );
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
