import { longestOf } from "../domain/address/form-fields.ts";
import { letIn } from "../domain/address/long-text.ts";
import { withoutMarker } from "../domain/marker.ts";
import type { AddressTemplate, TemplateDraft } from "../domain/records.ts";
import type { Services } from "../ports.ts";

interface Form {
  draft: TemplateDraft;
  /** The template as the form showed it. */
  base: AddressTemplate | null;
}

/**
 * A form with the whole of the values that came in short, because no form takes so much (`long-text.ts`). A value that the person left as
 * it was is what stands there now, also where that is another by now: nobody touched it. A value that they changed is held against what
 * they saw; where the template has another by now, the short form stays, and differs.
 */
export async function asSeen(
  { store }: Services,
  { shop, templateId, draft, base }: Form & { shop: string; templateId: string | null },
): Promise<Form> {
  if (templateId === null || !base) return { draft, base };
  const connection = await store.connections.find({ shop, current: true });
  const known = connection && (await store.templates.find({ shop, connectionId: connection.id, templateId }));
  if (!known) return { draft, base };
  const { template } = known;
  const own = whole(ownOf(withAlias(draft, template)), ownOf(base), ownOf(template));
  const place = whole(draft.address_attributes, base.address, template.address);
  return {
    draft: { ...draft, ...own.said, address_attributes: place.said },
    base: { ...base, ...own.seen, address: place.seen },
  };
}

type Texts<F extends string> = Partial<Record<F, string | null>>;

function whole<F extends string, S extends Texts<F>, B extends Texts<F>>(said: S, seen: B, there: B) {
  const [sent, shown]: [S, B] = [{ ...said }, { ...seen }];
  for (const field of Object.keys(seen) as F[]) {
    if ((seen[field]?.length ?? 0) <= longestOf(field)) continue;
    const now: string | null = there[field] ?? null;
    const [sentText, shownText]: (string | null | undefined)[] = [said[field], seen[field]];
    const isLeft = sentText === shownText;
    if (isLeft) Object.assign(sent, { [field]: now });
    if (isLeft || (now !== null && letIn(field, now) === shownText)) Object.assign(shown, { [field]: now });
  }
  return { said: sent, seen: shown };
}

function ownOf({ alias_name, address_type }: Pick<TemplateDraft, "alias_name" | "address_type">) {
  return { alias_name, address_type };
}

/** The form shows an alias without its marker; left as it was, it is the whole alias. */
function withAlias(draft: TemplateDraft, { alias_name }: AddressTemplate): TemplateDraft {
  const words = withoutMarker(alias_name);
  const isLeft = words.length > longestOf("alias_name") && draft.alias_name === letIn("alias_name", words);
  return isLeft ? { ...draft, alias_name: letIn("alias_name", alias_name) } : draft;
}
