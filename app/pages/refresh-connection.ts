import type { Services } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { healthOf } from "./read-shell.ts";
import { runNow } from "../runs/run-now.ts";

/** `under_way`: no answer within the wait of a save; it goes on. */
export type RefreshOutcome = "mended" | "still_failing" | "under_way" | "not_connected";

/** The button of the connection's banner: stop waiting, look at everything again now. */
export async function refreshConnection(services: Services, { shop }: { shop: string }): Promise<RefreshOutcome> {
  const { store, clock } = services;
  const pressedAtMs = clock.nowMs();
  const requested = await store.transaction(shop, async (tables) => {
    const connection = await tables.connections.find({ shop, current: true, state: "active" });
    if (!connection) return null;
    await tables.connections.update({ id: connection.id, version: connection.version }, { backoffUntilMs: null });
    return requestWork(services, tables, {
      shop,
      kind: "reconcile",
      key: "shop",
    });
  });
  if (!requested) return "not_connected";
  const progress = await runNow(services, { shop, ...requested });
  const connection = await store.connections.find({ shop, current: true });
  // The service may answer others, and not this.
  if (progress.kind === "failed") return "still_failing";
  if (healthOf(connection) === "ready") return progress.kind === "under_way" ? "under_way" : "mended";
  const failedAgain = (connection?.lastFaultAtMs ?? 0) >= pressedAtMs;
  return progress.kind === "under_way" && !failedAgain ? "under_way" : "still_failing";
}
