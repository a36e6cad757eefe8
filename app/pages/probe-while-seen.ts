import { restsUntilMs, WAITING_LONGEST_MS } from "../domain/backoff.ts";
import type { WorkItemKind } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { knownShop } from "../readings/known-shop.ts";
import { requestWork } from "../runs/request-work.ts";
import { healthOf } from "./read-shell.ts";

/** While somebody looks at a page, a connection that does not work is tried again this long after its last failure, in milliseconds. */
const SEEN_EVERY_MS = 8_000;

/** The kinds of work whose runs call the service. */
const CALLERS: readonly WorkItemKind[] = ["location", "template", "verification", "reconcile", "move"];

/**
 * An open page says every few seconds that somebody looks at it. A connection that rests is then tried sooner than it would be unseen, so that
 * a person sees within seconds that the service is back. It is one try at a time, as at the end of a rest: the first work that waits is the
 * probe, and if none waits, a look at everything. Where the connection works, this reads nothing that is not remembered.
 */
export async function probeWhileSeen(
  services: Pick<Services, "store" | "clock" | "random" | "wake">,
  { shop }: { shop: string },
): Promise<void> {
  const { store, clock, wake } = services;
  const connection = (await knownShop(services, { shop }))?.connection ?? null;
  if (!connection || healthOf(connection) !== "failing") return;
  const nowMs = clock.nowMs();
  if (nowMs - (connection.lastFaultAtMs ?? 0) < SEEN_EVERY_MS) return;
  const of = { shop, kind: { in: CALLERS }, state: "active" } as const;
  const [[running], [next]] = await Promise.all([
    store.workItems.list({ ...of, leaseUntilMs: { gt: nowMs } }, { limit: 1 }),
    store.workItems.list(
      { ...of, dueAtMs: { lte: nowMs + WAITING_LONGEST_MS } },
      { orderBy: { dueAtMs: "asc" }, limit: 1 },
    ),
  ]);
  // It may be the probe, and says soon how the service does.
  if (running) return;
  const { id, version, backoffUntilMs } = connection;
  if (restsUntilMs(backoffUntilMs, nowMs) !== null) {
    const ended = await store.connections.update({ id, shop, version, backoffUntilMs }, { backoffUntilMs: nowMs });
    // Another page has done it.
    if (ended === 0) return;
  }
  if (next) {
    const { id: itemId, fence } = next;
    await store.workItems.update({ id: itemId, shop, fence, leaseUntilMs: null }, { dueAtMs: nowMs });
  } else {
    await store.transaction(shop, (tables) =>
      requestWork(services, tables, { shop, kind: "reconcile", key: "shop", unchanged: true }),
    );
  }
  wake();
}
