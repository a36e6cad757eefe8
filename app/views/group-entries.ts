import type { ActivityRecord } from "../domain/records.ts";

/** Kinds whose text is complete: the carrier's own word would only repeat it in another language. */
export const PLAIN_KINDS: readonly string[] = ["verification_pending", "verification_accepted", "verification_refused"];

export type Groupable = Pick<
  ActivityRecord,
  "atMs" | "actor" | "kind" | "carrier" | "fields" | "outcome" | "detail"
> & { templateId?: string | null; legacyId?: string | null };

/** Entries further apart than this are not shown together. */
const TOGETHER_MS = 10 * 60_000;

/** What a question begins with, the earliest last. Anything older about that carrier is of the verification before. */
const BEGINS: readonly string[] = ["verification_asked", "verification_wanted"];

/**
 * Groups what was asked and answered about one address in one verification, whatever other addresses' entries stand between. Every other
 * entry is a group of its own, and so is an answer that a carrier changed unasked. Entries come newest first; a group stands where its newest
 * one does.
 */
export function groupEntries<E extends Groupable>(entries: readonly E[]): E[][] {
  const groups: E[][] = [];
  const lastOf = new Map<string, E[]>();
  const changed = changedUnasked(entries);
  for (const entry of entries) {
    if (changed.has(entry)) {
      groups.push([entry]);
      continue;
    }
    const place = placeOf(entry);
    const last = lastOf.get(place);
    if (last && belongs(entry, last)) {
      last.push(entry);
      continue;
    }
    const group = [entry];
    groups.push(group);
    lastOf.set(place, group);
  }
  return groups;
}

const placeOf = ({ templateId, legacyId }: Groupable): string => templateId ?? legacyId ?? "";

const VERDICTS: readonly string[] = ["verification_accepted", "verification_refused"];

/** Answers of carriers that had answered before, and were not asked again. */
function changedUnasked<E extends Groupable>(entries: readonly E[]): Set<E> {
  const changed = new Set<E>();
  const answered = new Set<string>();
  for (const entry of entries.toReversed()) {
    if (!isOfVerification(entry)) continue;
    const key = `${placeOf(entry)} ${entry.carrier}`;
    if (BEGINS.includes(entry.kind)) answered.delete(key);
    else if (answered.has(key)) changed.add(entry);
    else if (VERDICTS.includes(entry.kind)) answered.add(key);
  }
  return changed;
}

function belongs(entry: Groupable, group: readonly Groupable[]): boolean {
  const [newest] = group;
  if (!newest || !isOfVerification(newest) || !isOfVerification(entry)) return false;
  if (Math.abs(newest.atMs - entry.atMs) > TOGETHER_MS) return false;
  const begun = group.findLast(({ carrier, kind }) => carrier === entry.carrier && BEGINS.includes(kind));
  return !begun || BEGINS.indexOf(entry.kind) > BEGINS.indexOf(begun.kind);
}

function isOfVerification({ kind, carrier, fields }: Groupable): boolean {
  return kind.startsWith("verification_") && carrier !== null && fields.length === 0;
}

/** The entry whose actor a group is shown with: a question that somebody asked for by hand is that person's, where all of it was. */
export function tellsWho<E extends Groupable>(group: readonly E[]): E {
  const newest = group[0]!;
  if (newest.kind !== "verification_asked") return newest;
  const wanted = group.filter(({ kind }) => kind === "verification_wanted");
  const isTheirs = group.every(({ carrier }) => wanted.some((one) => one.carrier === carrier));
  return isTheirs ? wanted[0]! : newest;
}

/** How each carrier's part of a group ended so far, carriers with the same end together, in the order in which they were asked. */
export function endsOf<E extends Groupable>(group: readonly E[]): { kind: string; entries: E[] }[] {
  const newest = new Map<string | null, E>();
  for (const entry of group) if (!newest.has(entry.carrier)) newest.set(entry.carrier, entry);
  const ends = Map.groupBy([...newest.values()].reverse(), ({ kind }) => kind);
  return [...ends].map(([kind, entries]) => ({ kind, entries }));
}
