/**
 * `WHOLE=1` looks at every state in every way (`npm run test:whole`). Without it a run is short: each promise is touched, not in every
 * combination. Whoever keeps pictures wants all of them.
 */
export const IS_WHOLE = process.env.WHOLE === "1" || process.env.SCREENSHOTS === "1";

/** A short run speaks Spanish, which the app's people speak, and whose words are the longer ones. */
export const LANGUAGES: readonly ("en" | "es")[] = IS_WHOLE ? ["es", "en"] : ["es"];

/** All of them, or in a short run one, by turns: so each page is looked at in one way, and each way on some pages. */
export function byTurns<T>(all: readonly T[], turn: number): readonly T[] {
  return IS_WHOLE ? all : [all[turn % all.length]!];
}
