/** The true time at which every story begins. */
export const START_MS = 1_800_000_000_000;
