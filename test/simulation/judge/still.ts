import type { TargetRecord, VerificationRecord } from "../../../app/domain/records.ts";
import type { StoredChange } from "../../fakes/memory-store.ts";
import { connectionOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import type { UnservedWatch } from "./unserved.ts";

/** What stands still in a shop, whatever its pages say of it. */
export type Still = { shop: string; words: string; sinceMs: number } & (
  { what: "connection" } | { what: "target"; target: Readonly<TargetRecord> } | { what: "question"; templateId: string }
);

/** Carriers that shall be asked and were not yet, and since when. */
export interface QuestionsWatch {
  committed(change: StoredChange): void;
  all(): Iterable<{ record: Readonly<VerificationRecord>; sinceMs: number }>;
}

export function createQuestionsWatch(nowMs: () => number): QuestionsWatch {
  const open = new Map<string, { record: Readonly<VerificationRecord>; sinceMs: number }>();
  return {
    committed({ table, before, after }) {
      if (table !== "verifications") return;
      const { connectionId, templateId, carrier } = (after ?? before)!;
      const key = `${connectionId} ${templateId} ${carrier}`;
      if (after?.question !== "wanted") return void open.delete(key);
      open.set(key, { record: after, sinceMs: open.get(key)?.sinceMs ?? nowMs() });
    },
    all: () => open.values(),
  };
}

/** Before that a page may say that it is under way. */
const STILL_AFTER_MS = 15 * 60_000;

interface Watches {
  unserved: UnservedWatch;
  questions: QuestionsWatch;
}

/** Everything that stands still now. What only the operator is to know of, and what a shop without the app would be told, is left out. */
export function standsStill(stage: Stage, { unserved, questions }: Watches): Still[] {
  const { database, known, scenery } = stage;
  const nowMs = stage.nowMs();
  const here = new Set(scenery.shops.map(({ shop }) => shop).filter((shop) => !known.away.has(shop)));
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
  const unservedSince = new Map([...unserved.all()].map(({ target, sinceMs }) => [target.id, sinceMs]));
  for (const target of database.rows("targets")) {
    if (!here.has(target.shop) || !isToldToOwners(stage, target)) continue;
    const sinceMs = unservedSince.get(target.id) ?? nowMs;
    const why = whyStill(target, nowMs - sinceMs);
    if (why)
      found.push({ what: "target", shop: target.shop, target, sinceMs, words: `${target.kind} ${target.key} ${why}` });
  }
  for (const { record, sinceMs } of questions.all()) {
    const { shop, connectionId, templateId, carrier } = record;
    if (!here.has(shop) || connectionId !== connectionOf(stage, shop)?.id || nowMs - sinceMs <= STILL_AFTER_MS) continue;
    found.push({ what: "question", shop, templateId, sinceMs, words: `${carrier} was never asked about ${templateId}` });
  }
  return found;
}

function whyStill({ state, wanted, seen, reason, failures }: Readonly<TargetRecord>, unservedMs: number): string | null {
  if (state !== "active") return `is ${state} (${reason?.code})`;
  if (wanted <= seen || unservedMs <= STILL_AFTER_MS) return null;
  return `waits for a quarter of an hour (${reason?.code}, ${failures} failures)`;
}

function isToldToOwners(stage: Stage, { shop, kind, key, id, wanted }: Readonly<TargetRecord>): boolean {
  // Whether a shop is gone concerns whoever runs the app.
  if (kind === "redact" || kind === "uninstall") return false;
  // Of a connection that is not in use no page tells.
  if (kind === "verification" && !key.startsWith(`${connectionOf(stage, shop)?.id}:`)) return false;
  // Its owner cancelled it, and the job's page says so.
  return !stage.known.cancelled.some((item) => item.targetId === id && item.wanted === wanted);
}
