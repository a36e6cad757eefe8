import type { ActivityRecord } from "../../domain/records.ts";

/** Kinds whose text is complete: the carrier's own word would only repeat it in another language. */
export const PLAIN_KINDS: readonly string[] = ["verification_pending", "verification_accepted", "verification_refused"];

export type Groupable = Pick<
  ActivityRecord,
  "atMs" | "actor" | "kind" | "carrier" | "fields" | "outcome" | "detail"
> & { templateId?: string | null; legacyId?: string | null };

/** Entries further apart than this are not shown together. */
const TOGETHER_MS = 10 * 60_000;

/** Groups neighbouring entries that say the same of several carriers. Every other entry is a group of its own. The order stays. */
export function groupEntries<E extends Groupable>(entries: readonly E[]): E[][] {
  const groups: E[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && belongs(entry, last)) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function belongs(entry: Groupable, group: readonly Groupable[]): boolean {
  const [first] = group;
  const { carrier, fields } = entry;
  if (!first?.carrier || !carrier || fields.length > 0 || first.fields.length > 0) return false;
  if (group.some((other) => other.carrier === carrier)) return false;
  return Math.abs(first.atMs - entry.atMs) <= TOGETHER_MS && said(first) === said(entry);
}

function said({ actor, kind, outcome, detail, templateId, legacyId }: Groupable): string {
  return JSON.stringify([actor, kind, outcome, PLAIN_KINDS.includes(kind) ? null : detail, templateId, legacyId]);
}
