import { isBehind } from "../domain/plan/replaced.ts";
import { saySame } from "../domain/plan/three-way.ts";
import type { AddressTemplate, Replaced, TemplateRecord } from "../domain/records.ts";
import type { Clock, ConnectionRef, Services, Tables } from "../ports.ts";
import { nextReading } from "../runs/next-reading.ts";
import { leftBehindMs } from "./alone-readings.ts";
import { forgetAbsence } from "./believe-absence.ts";

/**
 * Answers that another reading or a write overtook while they were on their way; and readings that show a template as it was before a write
 * of ours, within the time for which a GET may be behind. Nobody changed it back then: what the write's own answer said stays, and plans go
 * on from that. After that time the same reading is somebody's word, so the template is looked at again.
 */

const DOUBTS = ["absentSinceMs", "unlistedSinceMs", "disputedSinceMs"] as const;

interface Answer {
  ref: ConnectionRef;
  templateId: string;
  /** What stood in the book when it was asked for. */
  known: TemplateRecord | null;
  /** What it shows; null where it found nothing. */
  template: AddressTemplate | null;
}

/**
 * Whether the template was read or written since `known` stood in the book, or something else was said of it: that it is not there, or is
 * otherwise than it was read. Such an answer is not kept, and nobody knows which of the two is the newer one. Where they differ, whoever has planned on the other one reads again. In the caller's transaction, which is not to be
 * undone.
 */
export async function dropIfOvertaken(
  tables: Pick<Tables, "templates" | "connections">,
  { ref, templateId, known, template }: Answer,
): Promise<boolean> {
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  const now = await tables.templates.find(key);
  if (now?.reading === known?.reading && isDoubtedAlike(now, known)) return false;
  if (now && template && !saySame(now.template, template))
    await tables.templates.update(key, { reading: await nextReading(tables, ref) });
  return true;
}

/** A doubt that came after an answer was asked for is not ended by that answer. */
function isDoubtedAlike(now: TemplateRecord | null, known: TemplateRecord | null): boolean {
  return DOUBTS.every((since) => (now?.[since] ?? null) === (known?.[since] ?? null));
}

type Clocks = Pick<Clock, "monotonicMs" | "nowMs">;

/** After the last moment at which a reading may count as behind, so that the look comes when none does. */
const LOOK_AFTER_MS = 1_000;

/** Of what is remembered with a template: the changes that a GET may still be behind. */
export function replacedLately(clock: Clocks, row: TemplateRecord | null): Replaced[] {
  return (row?.replaced ?? []).filter((each) => leftBehindMs(clock, row!, each) > 0);
}

export function showsBefore(clock: Clocks, row: TemplateRecord, shown: AddressTemplate): boolean {
  return isBehind(shown, row, replacedLately(clock, row));
}

/** When a template of which a reading was behind is to be looked at again; null where none was, or that time is over. */
export function looksAgainAtMs(clock: Clocks, row: TemplateRecord | null): number | null {
  if (!row || row.disputedSinceMs === null) return null;
  const leftMs = Math.max(-Infinity, ...(row.replaced ?? []).map((each) => leftBehindMs(clock, row, each)));
  return leftMs > -LOOK_AFTER_MS ? clock.nowMs() + Math.ceil(leftMs) + LOOK_AFTER_MS : null;
}

/**
 * Keeps that the template is there, and that it is to be looked at again. Nothing else of the reading is kept. The row counts as read now,
 * so that what is to be sent goes. A run of the location's that is under way sees to the look at its end (`sync/look-later.ts`).
 */
export async function keepBehind(
  services: Services,
  tables: Tables,
  { ref, before }: { ref: ConnectionRef; before: TemplateRecord },
): Promise<TemplateRecord> {
  const { clock } = services;
  const { shop, connectionId, templateId } = before;
  const place = { shop, connectionId, templateId };
  const nowMs = clock.nowMs();
  const there = { absentSinceMs: null, unlistedSinceMs: null, disputedSinceMs: nowMs } as const;
  const row = { ...before, ...there, readAtMs: nowMs, reading: await nextReading(tables, ref) };
  forgetAbsence(clock, place);
  await tables.templates.update(place, row);
  const untilMs = looksAgainAtMs(clock, row)!;
  await tables.verifications.update(
    { ...place, question: "asked", nextPollAtMs: { lt: untilMs } },
    { nextPollAtMs: untilMs },
  );
  const link = await tables.links.find(place);
  const later = { shop, state: "active", leaseUntilMs: null, dueAtMs: { gt: untilMs } } as const;
  const item = link && (await tables.workItems.find({ shop, kind: "location", key: link.locationId }));
  if (item?.state === "active") await tables.workItems.update({ ...later, id: item.id }, { dueAtMs: untilMs });
  else await lookAtAllBy(tables, { shop, untilMs });
  return row;
}

/** What no run of a location's looks at, the next look at everything does. */
export async function lookAtAllBy(
  tables: Pick<Tables, "workItems">,
  { shop, untilMs }: { shop: string; untilMs: number },
): Promise<void> {
  const look = { shop, kind: "reconcile", key: "shop", state: "active", leaseUntilMs: null } as const;
  await tables.workItems.update({ ...look, dueAtMs: { gt: untilMs } }, { dueAtMs: untilMs });
}
