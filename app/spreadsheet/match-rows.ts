import { fold, tidy } from "../domain/address/fold.ts";
import { locationIdOf } from "../domain/location-id.ts";
import { spoiltBy, unguarded } from "../domain/sheet/cells.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import type { RowFault } from "../views/import.ts";

/** Finds a shop's origins by what a row says of which it is. */
export interface OriginFinder {
  find(row: { id: string; name: string }): OriginRecords | RowFault;
}

/** A location's id, as the file that is downloaded has it or as its number alone. */
const LOCATION_ID = /^(?:gid:\/\/shopify\/Location\/)?(\d{1,20})$/i;

/** The id comes first; without one the name counts, as it is written or, where only one location has it so, whatever its capitals and accents. */
export function createOriginFinder(origins: readonly OriginRecords[]): OriginFinder {
  const byId = new Map(origins.map((origin) => [origin.location.locationId, origin]));
  const byName = Map.groupBy(origins, ({ location }) => tidy(location.name));
  const byFold = Map.groupBy(origins, ({ location }) => fold(location.name));
  return {
    find({ id, name }) {
      const said = unguarded(id);
      if (said !== "") {
        const by = spoiltBy(id);
        if (by !== null) return { code: "spoilt", column: "location_id", said, by };
        const locationId = locationIdOf(LOCATION_ID.exec(said)?.[1]);
        return (locationId !== null && byId.get(locationId)) || { code: "unknown_id" };
      }
      const named = tidy(unguarded(name));
      if (named === "") return { code: "no_key" };
      const exact = byName.get(named) ?? [];
      const alike = exact.length > 0 ? exact : (byFold.get(fold(named)) ?? []);
      if (alike.length > 1) return { code: "ambiguous_name" };
      return alike[0] ?? { code: "unknown_name" };
    },
  };
}
