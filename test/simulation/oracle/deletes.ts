import type { PendingWrite } from "../../../app/domain/records.ts";
import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import type { ShopifyAnswer, ShopifyCall } from "../../fakes/shopify-server.ts";
import { isTakenBack } from "./draft-claims.ts";

/** What was known of a location when Shopify last answered about it. */
interface Reading {
  atMs: number;
  active: boolean;
  /** Whether Shopify showed the location at all. */
  shown: boolean;
  /** Since when its answers have not shown it; null where they show it. */
  absentSinceMs: number | null;
  paused: boolean;
  generation: number;
  /** When it changed last, by this answer and by the newest before it. */
  changedMs: number;
  newestMs: number;
}

/** Finds deletions of templates that the last reading before them did not justify. */
export interface DeleteWatch {
  /** The objection to a location that is called gone, or to a deletion by hand that was announced; null otherwise. */
  committed(change: StoredChange): string | null;
  answered(call: ShopifyCall, answer: ShopifyAnswer): void;
  /** The objection to a DELETE that leaves now; null when it is justified. */
  left(pending: Readonly<PendingWrite>): string | null;
}

/** A location is gone only after two answers so far apart. */
const ABSENT_FOR_MS = 60_000;

/** The bytes leave at most ten seconds after the reading; connecting may add some time. */
const READ_WITHIN_MS = 15_000;

/** `allAwake`: whether every process of the app is. An answer to one that is stopped may be read by nobody. */
export function createDeleteWatch(
  database: MemoryDatabase,
  { nowMs, allAwake }: { nowMs: () => number; allAwake: () => boolean },
): DeleteWatch {
  const readings = new Map<string, Reading>();
  /** The generation for which a run was claimed, by work item. */
  const claimed = new Map<string, number>();

  const workItemOf = (shop: string, locationId: string) => {
    for (const row of database.rows("workItems"))
      if (row.shop === shop && row.kind === "location" && row.key === locationId) return row;
    return null;
  };
  const isPaused = (shop: string, locationId: string) => {
    for (const row of database.rows("details"))
      if (row.shop === shop && row.locationId === locationId) return row.paused;
    return false;
  };

  const isAbsentLong = (reading: Reading | undefined) =>
    reading !== undefined && reading.absentSinceMs !== null && nowMs() - reading.absentSinceMs >= ABSENT_FOR_MS;

  /**
   * Whether the app has kept that the location is absent or gone. What only a stopped process was told is not kept, so no deletion rests on
   * it.
   */
  const isDoubted = (shop: string, locationId: string) => {
    for (const row of database.rows("locations"))
      if (row.shop === shop && row.locationId === locationId)
        return row.absentSinceMs !== null || row.deletedAtMs !== null;
    return false;
  };

  return {
    committed({ table, before, after }) {
      if (table === "pendingWrites" && !before && after?.operation === "delete" && after.locationId === null)
        return isTakenBack(database, after)
          ? `${after.templateId} is deleted by hand, and its owner has included its location or linked it since`
          : null;
      if (table === "workItems" && after && after.kind === "location" && after.fence > (before?.fence ?? 0))
        claimed.set(after.id, after.generation);
      if (table === "locations" && before && after && before.absentSinceMs !== null && after.absentSinceMs === null) {
        const reading = readings.get(`${after.shop} ${after.locationId}`);
        // One that is called gone is doubted no more, and has been absent all the same.
        if (reading && after.deletedAtMs === null) reading.absentSinceMs = null;
      }
      if (table !== "locations" || !before || before.deletedAtMs !== null || !after || after.deletedAtMs === null)
        return null;
      const words = `${after.locationId} is called gone`;
      return isAbsentLong(readings.get(`${after.shop} ${after.locationId}`))
        ? null
        : `${words}, and Shopify has not shown it for less than a minute`;
    },
    answered({ shop, locationId }, { location }) {
      if (locationId === null || location === undefined) return;
      const earlier = readings.get(`${shop} ${locationId}`);
      const before = earlier?.absentSinceMs ?? null;
      const changedMs = location?.shopifyAtMs ?? earlier?.newestMs ?? 0;
      // What shows it to a stopped process counts once the app has kept it.
      const absentSinceMs = location ? (allAwake() ? null : before) : (before ?? nowMs());
      readings.set(`${shop} ${locationId}`, {
        atMs: nowMs(),
        active: location?.isActive ?? false,
        shown: location !== null,
        absentSinceMs,
        paused: isPaused(shop, locationId),
        generation: workItemOf(shop, locationId)?.generation ?? 0,
        changedMs,
        newestMs: Math.max(changedMs, earlier?.newestMs ?? 0),
      });
    },
    left({ shop, locationId, workItemId, templateId }) {
      if (locationId === null) return null;
      const reading = readings.get(`${shop} ${locationId}`);
      const words = `${templateId} of ${locationId} is deleted`;
      if (!reading) return `${words}, and Shopify never told of it`;
      if (reading.active) return `${words}, and Shopify's last word was that it is active`;
      if (reading.changedMs < reading.newestMs) return `${words}, and Shopify had shown a newer state of it`;
      if (reading.absentSinceMs !== null && !isAbsentLong(reading) && (!reading.shown || isDoubted(shop, locationId)))
        return `${words}, and Shopify has not shown it for less than a minute`;
      if (nowMs() - reading.atMs > READ_WITHIN_MS) return `${words}, and Shopify was asked too long before`;
      if (reading.paused) return `${words}, and its owner had paused it`;
      return reading.generation > (claimed.get(workItemId) ?? 0)
        ? `${words}, and somebody had asked to look again`
        : null;
    },
  };
}
