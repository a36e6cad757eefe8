const PREFIX = "gid://shopify/Location/";

/** The number in a location's id, as the app's URLs use it. */
export function legacyIdOf(locationId: string): string {
  return locationId.slice(locationId.lastIndexOf("/") + 1);
}

/** The location id of a number in a URL; null when the text is not a number. */
export function locationIdOf(legacyId: string | undefined): string | null {
  return legacyId !== undefined && /^\d{1,20}$/.test(legacyId) ? `${PREFIX}${legacyId}` : null;
}
