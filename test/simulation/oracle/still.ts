import type { WorkItem, VerificationRecord } from "../../../app/domain/records.ts";
import type { StoredChange } from "../../fakes/memory-store.ts";
import { isLeftByCancel } from "./cancelled.ts";
import { connectionOf, templateOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import type { UnservedWatch } from "./unserved.ts";

/** Something that stands still in a shop, whatever the shop's pages tell of it. */
export type Still = { shop: string; words: string; sinceMs: number } & (
  | { what: "connection" }
  | { what: "work item"; workItem: Readonly<WorkItem>; reasonForMs: number }
  | { what: "question"; templateId: string }
);

/** Since when each thing has stood still. */
export interface StillWatch {
  committed(change: StoredChange): void;
  /** Carriers that are to be asked and were not asked yet. */
  questions(): Iterable<{ record: Readonly<VerificationRecord>; sinceMs: number }>;
  /** Since when a work item has given its present reason. */
  reasonSinceMs(workItemId: string): number;
}

export function createStillWatch(nowMs: () => number): StillWatch {
  const questions = new Map<string, { record: Readonly<VerificationRecord>; sinceMs: number }>();
  const reasons = new Map<string, number>();
  return {
    committed({ table, before, after }) {
      if (table === "workItems" && after?.reason?.code !== before?.reason?.code)
        reasons.set((after ?? before)!.id, nowMs());
      if (table !== "verifications") return;
      const { connectionId, templateId, carrier } = (after ?? before)!;
      const key = `${connectionId} ${templateId} ${carrier}`;
      if (after?.question !== "wanted") return void questions.delete(key);
      questions.set(key, { record: after, sinceMs: questions.get(key)?.sinceMs ?? nowMs() });
    },
    questions: () => questions.values(),
    reasonSinceMs: (workItemId) => reasons.get(workItemId) ?? 0,
  };
}

/** Before this time has passed, a page may call it under way. */
const STILL_AFTER_MS = 15 * 60_000;

interface Watches {
  unserved: UnservedWatch;
  still: StillWatch;
  /** When the calm began. Delays that the faults caused are counted from then. */
  calmSinceMs: number;
}

/** Everything that stands still now, without what only the operator should know, and without shops that do not have the app. */
export function standsStill(stage: Stage, { unserved, still, calmSinceMs }: Watches): Still[] {
  const { database, known } = stage;
  const nowMs = stage.nowMs();
  // Shops that have the app. An owner who left reads no pages, and one who comes back begins anew.
  const here = new Set<string>();
  for (const { shop, uninstalledAtMs } of database.rows("shops"))
    if (uninstalledAtMs === null && !known.away.has(shop)) here.add(shop);
  const found: Still[] = [];
  for (const shop of here) {
    const connection = connectionOf(stage, shop);
    if (connection?.state !== "active")
      found.push({
        what: "connection",
        shop,
        sinceMs: nowMs,
        words: `the connection of ${shop} is ${connection?.state ?? "not there"}`,
      });
  }
  const unservedSince = new Map([...unserved.all()].map(({ workItem, sinceMs }) => [workItem.id, sinceMs]));
  for (const workItem of database.rows("workItems")) {
    if (!here.has(workItem.shop) || !isToldToOwners(stage, workItem)) continue;
    const sinceMs = Math.max(calmSinceMs, unservedSince.get(workItem.id) ?? nowMs);
    const why = whyStill(workItem, nowMs - sinceMs);
    if (!why) continue;
    const reasonForMs = nowMs - still.reasonSinceMs(workItem.id);
    const words = `${workItem.kind} ${workItem.key} ${why}`;
    found.push({ what: "work item", shop: workItem.shop, workItem, sinceMs, reasonForMs, words });
  }
  for (const { record, sinceMs } of still.questions()) {
    const { shop, connectionId, templateId, carrier } = record;
    if (
      !here.has(shop) ||
      connectionId !== connectionOf(stage, shop)?.id ||
      nowMs - Math.max(calmSinceMs, sinceMs) <= STILL_AFTER_MS
    )
      continue;
    found.push({
      what: "question",
      shop,
      templateId,
      sinceMs,
      words: `${carrier} was never asked about ${templateId}`,
    });
  }
  return found;
}

function whyStill(
  { state, generation, observedGeneration, reason, failures }: Readonly<WorkItem>,
  unservedMs: number,
): string | null {
  if (state !== "active") return `is ${state} (${reason?.code})`;
  if (generation <= observedGeneration || unservedMs <= STILL_AFTER_MS) return null;
  return `waits for a quarter of an hour (${reason?.code}, ${failures} failures)`;
}

function isToldToOwners(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  const { shop, kind, key } = workItem;
  // Whether a shop has left concerns only whoever runs the app.
  if (kind === "redact" || kind === "uninstall") return false;
  // No page shows a connection that is not in use.
  if (kind === "verification" && !key.startsWith(`${connectionOf(stage, shop)?.id}:`)) return false;
  // Shopify no longer has the location and it has no template, so it concerns nobody.
  if (kind === "location" && !stage.shopify.known(shop, key) && templateOf(stage, { shop, locationId: key }) === null)
    return false;
  // The owner cancelled the work item, and the job's page says so.
  return !isLeftByCancel(stage, workItem);
}
