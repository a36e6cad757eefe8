/**
 * `WHOLE=1` looks at every state in every way (`npm run test:whole`). Without it a run is short: each promise is touched, not in every
 * combination. Whoever keeps pictures wants all of them.
 */
export const IS_WHOLE = process.env.WHOLE === "1" || process.env.SCREENSHOTS === "1";

/** A short run speaks Spanish, which the app's people speak, and whose words are the longer ones. */
export const LANGUAGES: readonly ("en" | "es")[] = IS_WHOLE ? ["es", "en"] : ["es"];
