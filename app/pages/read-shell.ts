import { exclusionOf } from "../domain/origin-state.ts";
import type { ConnectionRecord, ShopRecord } from "../domain/records.ts";
import { shutReason } from "../domain/shop-access.ts";
import type { Services, Store } from "../ports.ts";
import { connectionFault } from "../views/fault-view.ts";
import { knownDetails, knownLocations } from "../readings/known-rows.ts";
import { knownShop } from "../readings/known-shop.ts";
import { readRevision } from "./read-revision.ts";
import { readingOf, rememberReading } from "../readings/remember-reading.ts";
import type { ConnectionHealth, ShellView, ShopHealth, ShutView } from "../views/shell.ts";

const TO_REVIEW = readingOf("shops", "locations", "details");

/** What every page shows around its content; from the database. Null when the shop is unknown or was uninstalled. */
export async function readShell(
  services: Pick<Services, "store" | "clock" | "random">,
  { shop }: { shop: string },
): Promise<ShellView | null> {
  const { store, clock } = services;
  // Before the rows are read: what is written meanwhile makes another one.
  const revision = await readRevision(services, { shop });
  const known = await knownShop(services, { shop });
  if (!known || known.shop.uninstalledAtMs !== null) return null;
  const { shop: record, connection } = known;
  return {
    language: record.language,
    timeZone: record.timeZone,
    nowMs: clock.nowMs(),
    toReview: await rememberReading({ store, shop, kind: TO_REVIEW }, () => countToReview(store, record)),
    connection: {
      health: healthOf(connection),
      environment: connection?.environment ?? null,
      lastSuccessAtMs: connection?.lastSuccessAtMs ?? null,
      fault: connection && connectionFault(connection),
    },
    shopify: shutView(record),
    revision,
  };
}

function shutView(shop: ShopRecord): ShutView | null {
  const why = shutReason(shop);
  return why && { why, sinceMs: shop.uninstallToldAtMs ?? shop.accessSinceMs ?? shop.installedAtMs };
}

export function shopHealth(shop: ShopRecord, connection: ConnectionRecord | null): ShopHealth {
  return shutReason(shop) === null ? healthOf(connection) : "shut";
}

export function healthOf(
  connection: Pick<ConnectionRecord, "state" | "failures" | "clientSecret"> | null,
): ConnectionHealth {
  switch (connection?.state) {
    case undefined:
    case "disconnected":
    case "aside":
      return "none";
    case "invalid":
    case "unconfirmed":
      return connection!.state as ConnectionHealth;
    case "active":
      if (connection!.clientSecret?.readable === false) return "unreadable";
      return connection!.failures > 0 ? "failing" : "ready";
  }
}

async function countToReview(store: Store, { shop, policies }: ShopRecord): Promise<number> {
  const [locations, details] = await Promise.all([knownLocations(store, shop), knownDetails(store, shop)]);
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
