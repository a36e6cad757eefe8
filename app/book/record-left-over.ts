import type { LocationRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * A template that was made for a location which has another one by now: the address book shows it as left over, and nobody but its owner
 * deletes it.
 */
export async function recordLeftOver(
  services: Services,
  tables: Pick<Tables, "activity" | "connections">,
  { location, templateId }: { location: Pick<LocationRecord, "shop" | "locationId" | "name">; templateId: string },
): Promise<void> {
  await recordActivity(services, tables, {
    shop: location.shop,
    actor: "sync",
    kind: "template_extra",
    outcome: "noted",
    locationId: location.locationId,
    locationName: location.name,
    templateId,
  });
}
