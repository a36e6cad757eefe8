import { legacyIdOf } from "../domain/location-id.ts";
import { withoutMarker } from "../domain/marker.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { Store } from "../ports.ts";
import { knownLinks, knownLocations } from "./known-rows.ts";
import type { UnreadableView } from "../views/address-book.ts";

/** What is told of rows of the address book that cannot be read. */

/** Null when the template's row can be read. */
export function unreadableOf(
  connection: ConnectionRecord | null,
  templateId: string,
): Pick<UnreadableView, "what" | "requestId" | "sinceMs"> | null {
  const row = connection?.bookUnreadable.find(({ id }) => id === templateId);
  return row ? { what: row.what, requestId: row.requestId, sinceMs: row.sinceMs } : null;
}

/** Each row, with the location its template stands for. */
export async function unreadableRows(store: Store, connection: ConnectionRecord): Promise<UnreadableView[]> {
  if (connection.bookUnreadable.length === 0) return [];
  const links = new Map((await knownLinks(store, connection)).map((link) => [link.templateId, link.locationId]));
  const locations = new Map((await knownLocations(store, connection.shop)).map((each) => [each.locationId, each]));
  return connection.bookUnreadable.map(({ id, name, what, requestId, sinceMs }) => {
    const location = locations.get(links.get(id ?? "") ?? "");
    return {
      templateId: id,
      name: name === null ? null : withoutMarker(name),
      what,
      requestId,
      sinceMs,
      location: location ? { legacyId: legacyIdOf(location.locationId), name: location.name } : null,
    };
  });
}
