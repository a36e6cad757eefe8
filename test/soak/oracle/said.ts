import type { HandDraft, Said, SoakWorld } from "../world.ts";
import type { Snapshot } from "./snapshot.ts";

/** What owners did in the app's pages. What a page called saved must be stored, and what it called done must have happened exactly once. */

export interface Finding {
  about: string;
  text: string;
}

/** Values that a page confirmed as saved and that are not stored, unless the owner entered another value since, confirmed or not. */
export function unsaved({ said }: SoakWorld, snapshots: ReadonlyMap<string, Snapshot>): Finding[] {
  const groups = Map.groupBy(said, ({ shop, of, field }) => `${shop} ${of} ${field}`);
  return [...groups.values()].flatMap((sayings) => {
    const from = sayings.findLastIndex(({ saved }) => saved);
    if (from < 0) return [];
    const snapshot = snapshots.get(sayings[0]!.shop);
    const kept = snapshot && keptOf(sayings[0]!, snapshot);
    const mayBe = sayings.slice(from).map(({ value }) => value);
    if (kept === undefined || mayBe.includes(kept)) return [];
    return [{ about: sayings[0]!.of, text: `${sayings[0]!.field} was saved as ${mayBe.join(" or ")}, and is ${kept}` }];
  });
}

/** Undefined where the value lapsed or its row is gone. */
function keptOf({ of, field }: Said, { shop, details }: Snapshot): string | null | undefined {
  if (of === "shop") {
    const value = ({ ...shop.policies, ...shop.contact } as Record<string, unknown>)[field];
    return value === null || value === undefined ? null : String(value);
  }
  const row = details.find(({ locationId }) => locationId === of);
  if (!row) return undefined;
  // A split lapses with its address, so that a later form shows and confirms other values.
  if (field === "reference" || field === "apartment_number") return undefined;
  return row.contact[field as keyof typeof row.contact];
}

/** Changes by hand that a page called done and that did not happen, happened twice, or never ended. */
export function drafts(
  world: SoakWorld,
  snapshots: ReadonlyMap<string, Snapshot>,
): {
  falseWords: Finding[];
  lost: Finding[];
  doubled: Finding[];
} {
  const result = { falseWords: [] as Finding[], lost: [] as Finding[], doubled: [] as Finding[] };
  const writes = world.service.log();
  for (const draft of world.drafts.values()) {
    const record = snapshots.get(draft.shop)?.drafts.find(({ id }) => id === draft.draftId);
    const told = record?.outcome?.kind ?? null;
    const times = effectsOf(draft, writes);
    const found = (text: string): Finding => ({ about: draft.draftId, text: `${draft.operation} by hand: ${text}` });
    if (draft.operation === "create" && times > 1)
      result.doubled.push(found(`"${draft.alias}" was made ${times} times`));
    if ((told === "done" || draft.told === "done") && times === 0)
      result.falseWords.push(found("told done, and nothing happened"));
    if (record && record.outcome === null) result.lost.push(found("it never ended"));
    if (!record && draft.told === "done") result.lost.push(found("told done, and nothing is kept of it"));
  }
  return result;
}

function effectsOf(
  { operation, alias, templateId, field, value }: HandDraft,
  writes: ReturnType<SoakWorld["service"]["log"]>,
): number {
  return writes.filter((write) => {
    if (operation === "create")
      return write.operation === "create" && write.source !== "person" && String(write.after?.alias_name) === alias;
    if (write.templateId !== templateId) return false;
    if (operation === "delete") return write.operation === "delete";
    return write.source !== "person" && String(write.after?.address[field!]) === value;
  }).length;
}
