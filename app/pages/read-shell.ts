import { exclusionOf, needsChoiceOfTemplate } from "../domain/origin-state.ts";
import type { ConnectionRecord, ShopRecord } from "../domain/records.ts";
import { shutReason } from "../domain/shop-access.ts";
import type { Services } from "../ports.ts";
import { connectionFault } from "../views/fault-view.ts";
import { filterInTurns } from "../runs/in-turns.ts";
import { composeOnce } from "../readings/compose-once.ts";
import { knownDetails, knownLocations } from "../readings/known-rows.ts";
import { knownShop } from "../readings/known-shop.ts";
import { readRevision } from "./read-revision.ts";
import { readingOf, rememberReading } from "../readings/remember-reading.ts";
import { lastAnswerAtMs } from "../views/connection-summary.ts";
import type { ConnectionHealth, ShellView, ShopHealth, ShutView } from "../views/shell.ts";

const TO_REVIEW = readingOf("shops", "locations", "details", "workItems");

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
    toReview: await rememberReading({ store, shop, kind: TO_REVIEW }, () => countToReview(services, record)),
    connection: {
      health: healthOf(connection),
      environment: connection?.environment ?? null,
      lastSuccessAtMs: connection && lastAnswerAtMs(connection),
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

/** As many as Review has: nobody confirmed them, something of them is missing, or a template is to be chosen. */
async function countToReview({ store, clock }: Pick<Services, "store" | "clock">, record: ShopRecord): Promise<number> {
  const { shop, policies, contact } = record;
  if (!policies.syncOn) return 0;
  const [locations, details, blocked] = await Promise.all([
    knownLocations(store, shop),
    knownDetails(store, shop),
    store.workItems.list({ shop, kind: "location", state: "blocked" }),
  ]);
  const detailsOf = new Map(details.map((row) => [row.locationId, row]));
  const choosing = new Set(blocked.filter(needsChoiceOfTemplate).map(({ key }) => key));
  const waits = await filterInTurns(clock, locations, (location) => {
    const own = detailsOf.get(location.locationId) ?? null;
    if (own?.paused || exclusionOf({ location, details: own, policies }) !== null) return false;
    if (!own || own.confirmedAtMs === null || choosing.has(location.locationId)) return true;
    const { address, postal } = location;
    return composeOnce({ address, postal, defaults: contact, details: own }).attributes === null;
  });
  return waits.length;
}
