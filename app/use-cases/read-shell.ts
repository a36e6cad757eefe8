import { exclusionOf } from "../domain/origin-state.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { connectionFault } from "./fault-view.ts";
import { rememberReading } from "./remember-reading.ts";
import type { ConnectionHealth, ShellView } from "./views/shell.ts";

/** What every page shows around its content; from the database. Null when the shop is unknown or was uninstalled. */
export async function readShell(
  services: Pick<Services, "store" | "clock">,
  { shop }: { shop: string },
): Promise<ShellView | null> {
  const { store, clock } = services;
  const record = await store.shops.find({ shop });
  if (!record || record.uninstalledAtMs !== null) return null;
  const connection = await store.connections.find({ shop, current: true });
  return {
    language: record.language,
    timeZone: record.timeZone,
    nowMs: clock.nowMs(),
    toReview: await rememberReading({ store, shop, what: "to review" }, () => countToReview(services, shop)),
    connection: {
      health: healthOf(connection),
      environment: connection?.environment ?? null,
      lastSuccessAtMs: connection?.lastSuccessAtMs ?? null,
      fault: connection && connectionFault(connection),
    },
  };
}

export function healthOf(connection: Pick<ConnectionRecord, "state" | "failures"> | null): ConnectionHealth {
  switch (connection?.state) {
    case undefined:
    case "disconnected":
    case "aside":
      return "none";
    case "invalid":
    case "unconfirmed":
      return connection!.state as ConnectionHealth;
    case "active":
      return connection!.failures > 0 ? "failing" : "ready";
  }
}

async function countToReview({ store }: Pick<Services, "store">, shop: string): Promise<number> {
  const policies = (await store.shops.find({ shop }))?.policies;
  if (!policies) return 0;
  const [locations, details] = await Promise.all([
    store.locations.list({ shop, isActive: true, deletedAtMs: null }),
    store.details.list({ shop }),
  ]);
  const known = new Map(details.map((row) => [row.locationId, row]));
  return locations.filter((location) => {
    const own = known.get(location.locationId) ?? null;
    return (
      own?.paused !== true &&
      (own?.confirmedAtMs ?? null) === null &&
      exclusionOf({ location, details: own, policies }) === null
    );
  }).length;
}
