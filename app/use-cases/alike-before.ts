import { mayBeMadeFrom } from "../domain/plan.ts";
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
