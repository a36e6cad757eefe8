import { environmentOf } from "../domain/closed-reason.ts";
import type { ActivityRecord } from "../domain/records.ts";
import type { Clock, Random, Tables } from "../ports.ts";

export type ActivityEntry = Pick<ActivityRecord, "shop" | "actor" | "kind" | "outcome"> &
  Partial<Omit<ActivityRecord, "id" | "atMs" | "shop" | "actor" | "staffId" | "kind" | "outcome">>;

/**
 * Writes one line of the activity. It does so in the caller's transaction, so that a change and its line are stored together or not at all.
 */
export async function recordActivity(
  services: { clock: Clock; random: Random; staffId?: string | null },
  tables: Pick<Tables, "activity" | "connections">,
  entry: ActivityEntry,
): Promise<void> {
  const inUse = await tables.connections.find({ shop: entry.shop, current: true });
  await tables.activity.insert({
    id: services.random.id(),
    atMs: services.clock.nowMs(),
    // What the app does by itself is nobody's, also while it answers a press.
    staffId: entry.actor === "owner" ? (services.staffId ?? null) : null,
    locationId: null,
    locationName: null,
    templateId: null,
    carrier: null,
    fields: [],
    requestId: null,
    detail: null,
    environment: environmentOf(inUse),
    ...entry,
  });
}
