import type { WorkItemKind } from "../../domain/records.ts";
import type { Clock, Log, Store } from "../../ports.ts";
import type { Series } from "./series.ts";

/** What is read from the store when Prometheus asks. Several who ask at once, or within ten seconds, get the same. */

const KEPT_MS = 10_000;

const KINDS: readonly WorkItemKind[] = [
  "location",
  "template",
  "verification",
  "reconcile",
  "job",
  "uninstall",
  "redact",
  "told",
  "move",
  "flow",
];

export interface Asked {
  store: Store;
  clock: Pick<Clock, "nowMs" | "monotonicMs">;
  log: Log;
  series: Series;
}

/** Never rejects: Prometheus gets the other series while the store does not answer. */
export function createAsked({ store, clock, log, series }: Asked): () => Promise<void> {
  let readAtMs = -Infinity;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const end = series.asking.startTimer();
    const nowMs = clock.nowMs();
    for (const kind of KINDS) {
      const due = { kind, state: "active", leaseUntilMs: null, dueAtMs: { lte: nowMs } } as const;
      series.due.set({ kind }, await store.workItems.count(due));
      const [oldest] = await store.workItems.list(due, { orderBy: { dueAtMs: "asc" }, limit: 1 });
      series.oldest.set({ kind }, oldest ? (nowMs - oldest.dueAtMs) / 1_000 : 0);
    }
    for (const state of ["parked", "blocked"] as const)
      series.stopped.set({ state }, await store.workItems.count({ state }));
    const inQuarantine = await store.pendingWrites.count({ quarantineUntilMs: { gt: nowMs } });
    series.pendingWrites.set({ quarantine: "under_way" }, inQuarantine);
    series.pendingWrites.set({ quarantine: "over" }, (await store.pendingWrites.count({})) - inQuarantine);
    const open = { question: "asked" } as const;
    series.openQuestions.set(await store.verifications.count(open));
    const [question] = await store.verifications.list(open, { orderBy: { askedAtMs: "asc" }, limit: 1 });
    series.oldestQuestion.set(question?.askedAtMs ? (nowMs - question.askedAtMs) / 1_000 : 0);
    const used = { state: "active", current: true } as const;
    const resting = await store.connections.count({ ...used, backoffUntilMs: { gt: 0 } });
    series.breakers.set({ state: "open" }, resting);
    series.breakers.set({ state: "closed" }, (await store.connections.count(used)) - resting);
    end();
  }

  return async () => {
    if (clock.monotonicMs() - readAtMs < KEPT_MS) return;
    reading ??= read()
      .then(() => void (readAtMs = clock.monotonicMs()))
      .catch((error: unknown) => log.warn({ error }, "the store did not answer what metrics ask"))
      .finally(() => (reading = null));
    await reading;
  };
}
