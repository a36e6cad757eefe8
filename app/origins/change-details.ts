import type { ActivityRecord, DetailsRecord, LocationRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "../activity/record-activity.ts";

export interface DetailsChange {
  location: Pick<LocationRecord, "shop" | "locationId" | "name">;
  patch: Partial<Pick<DetailsRecord, "inclusion" | "paused" | "adoption">>;
  /** Of the activity. */
  kind: string;
  outcome?: ActivityRecord["outcome"];
  templateId?: string;
}

/** The owner's word on one location with a button, and its line of activity: a form that was shown before it is stale. */
export async function changeDetails(
  services: Pick<Services, "clock" | "random">,
  tables: Pick<Tables, "details" | "activity" | "connections">,
  { location, patch, kind, outcome = "done", templateId }: DetailsChange,
): Promise<void> {
  const { shop, locationId, name } = location;
  const { revision } = await ensureDetails(tables, { shop, locationId });
  await tables.details.update({ shop, locationId }, { ...patch, revision: revision + 1 });
  await recordActivity(services, tables, {
    shop,
    actor: "owner",
    kind,
    outcome,
    locationId,
    locationName: name,
    templateId: templateId ?? null,
  });
}
