/** What is counted against the app; each is a list of words, empty where all is well. */
export const FIGURES = [
  "lost",
  "duplicates",
  "overwritten",
  "unseeable",
  "secondsOverLimit",
  "starved",
  "untold",
  "needlessDeletes",
  "verdictsLost",
  "credentialsLost",
  "falseWords",
] as const;

export type Figure = (typeof FIGURES)[number];

export type Verdict = Record<Figure, string[]>;

/** The service has no precondition on a write: what falls between our reading and our write nobody can see. */
const NO_FAULT: readonly Figure[] = ["unseeable"];

export function noVerdict(): Verdict {
  return Object.fromEntries(FIGURES.map((figure) => [figure, []])) as unknown as Verdict;
}

export function isFaulty(verdict: Verdict): boolean {
  return FIGURES.some((figure) => !NO_FAULT.includes(figure) && verdict[figure].length > 0);
}
