/** What is counted against the app. Each figure is a list of objections, and is empty when nothing is wrong. */
export const FIGURES = [
  "lost",
  "duplicates",
  "overwritten",
  "unseeable",
  "secondsOverLimit",
  "costly",
  "starved",
  "untold",
  "needlessDeletes",
  "verdictsLost",
  "credentialsLost",
  "falseWords",
] as const;

export type Figure = (typeof FIGURES)[number];

export type Verdict = Record<Figure, string[]>;

/** The service has no precondition on a write, so nobody can see a change that comes between our reading and our write. */
const NO_FAULT: readonly Figure[] = ["unseeable"];

export function noVerdict(): Verdict {
  return Object.fromEntries(FIGURES.map((figure) => [figure, []])) as unknown as Verdict;
}

export function isFaulty(verdict: Verdict): boolean {
  return FIGURES.some((figure) => !NO_FAULT.includes(figure) && verdict[figure].length > 0);
}
