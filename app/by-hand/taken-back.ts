import type { DraftRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/**
 * The location that a template is to stand for, although it was to be deleted; null when the deletion holds. A deletion by hand takes the
 * template's location from the origins in the transaction that stores the form (`origins/remove-template.ts`). A link of a location that is
 * not left out says that its owner has included the location or linked the template since, and the owner's newest word holds.
 */
export async function takenBackFor(
  tables: Pick<Tables, "links" | "locations" | "details">,
  { shop, connectionId, templateId }: Pick<DraftRecord, "shop" | "connectionId" | "templateId">,
): Promise<string | null> {
  const link = templateId === null ? null : await tables.links.find({ shop, connectionId, templateId });
  if (!link) return null;
  const { locationId } = link;
  if ((await tables.locations.count({ shop, locationId })) === 0) return null;
  return (await tables.details.count({ shop, locationId, inclusion: "never" })) > 0 ? null : locationId;
}
