/** A header of every answer of the app's: which release of the app's pages it knows, a hash of their scripts. */
export const RELEASE_HEADER = "X-Origen-Release";
