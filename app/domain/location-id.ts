const PREFIX = "gid://shopify/Location/";

/** The number in a location's id, as the app's own addresses use it. */
export function legacyIdOf(locationId: string): string {
  return locationId.slice(locationId.lastIndexOf("/") + 1);
}

/** Null when it is not a number, and so no location's. */
export function locationIdOf(legacyId: string | undefined): string | null {
  return legacyId !== undefined && /^\d{1,20}$/.test(legacyId) ? `${PREFIX}${legacyId}` : null;
}
