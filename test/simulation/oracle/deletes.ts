import type { PendingWrite } from "../../../app/domain/records.ts";
import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import type { ShopifyAnswer, ShopifyCall } from "../../fakes/shopify-server.ts";

/** What was known of a location when Shopify last answered about it. */
interface Reading {
  atMs: number;
  active: boolean;
  paused: boolean;
  generation: number;
}

/** Finds deletions of templates that the last reading before them did not justify. */
export interface DeleteWatch {
  committed(change: StoredChange): void;
  answered(call: ShopifyCall, answer: ShopifyAnswer): void;
  /** The objection to a DELETE that leaves now; null when it is justified. */
  left(pending: Readonly<PendingWrite>): string | null;
}

/** The bytes leave at most ten seconds after the reading; connecting may add some time. */
const READ_WITHIN_MS = 15_000;

export function createDeleteWatch(database: MemoryDatabase, nowMs: () => number): DeleteWatch {
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

  return {
    committed({ table, before, after }) {
      if (table === "workItems" && after && after.kind === "location" && after.fence > (before?.fence ?? 0))
        claimed.set(after.id, after.generation);
    },
    answered({ shop, locationId }, { location }) {
      if (locationId === null || location === undefined) return;
      readings.set(`${shop} ${locationId}`, {
        atMs: nowMs(),
        active: location?.isActive ?? false,
        paused: isPaused(shop, locationId),
        generation: workItemOf(shop, locationId)?.generation ?? 0,
      });
    },
    left({ shop, locationId, workItemId, templateId }) {
      if (locationId === null) return null;
      const reading = readings.get(`${shop} ${locationId}`);
      const words = `${templateId} of ${locationId} is deleted`;
      if (!reading) return `${words}, and Shopify never told of it`;
      if (reading.active) return `${words}, and Shopify's last word was that it is active`;
      if (nowMs() - reading.atMs > READ_WITHIN_MS) return `${words}, and Shopify was asked too long before`;
      if (reading.paused) return `${words}, and its owner had paused it`;
      return reading.generation > (claimed.get(workItemId) ?? 0)
        ? `${words}, and somebody had asked to look again`
        : null;
    },
  };
}
