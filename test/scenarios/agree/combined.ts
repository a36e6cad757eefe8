/** Rows' values, combined. Pure. */

export type Dimensions = Record<string, Record<string, object>>;

/** The name of a value for each dimension. */
export type Choice = Record<string, string>;

/** Every combination of the dimensions that are named; the others have their first value. */
export function allOf(dimensions: Dimensions, named: readonly string[]): Choice[] {
  return named.reduce<Choice[]>(
    (choices, name) =>
      choices.flatMap((choice) => Object.keys(dimensions[name]!).map((value) => ({ ...choice, [name]: value }))),
    [Object.fromEntries(Object.entries(dimensions).map(([name, values]) => [name, Object.keys(values)[0]!]))],
  );
}

/** Few combinations in which each value stands beside each value of every other dimension at least once. */
export function pairsOf(dimensions: Dimensions): Choice[] {
  const names = Object.keys(dimensions);
  const open = new Set(
    names.flatMap((a, nth) =>
      names.slice(nth + 1).flatMap((b) => allOf(dimensions, [a, b]).map((of) => pair(of, a, b))),
    ),
  );
  const choices: Choice[] = [];
  for (const first of open) {
    const choice = Object.fromEntries(first.split("|").map((part) => part.split("=") as [string, string]));
    for (const name of names.filter((one) => !(one in choice))) {
      const fresh = (value: string) =>
        Object.keys(choice).filter((other) => open.has(pairIn(names, { ...choice, [name]: value }, name, other)))
          .length;
      const values = Object.keys(dimensions[name]!);
      choice[name] = values.reduce((best, value) => (fresh(value) > fresh(best) ? value : best));
    }
    for (const a of names) for (const b of names) if (a !== b) open.delete(pairIn(names, choice, a, b));
    choices.push(choice);
  }
  return choices;
}

const pair = (choice: Choice, a: string, b: string): string => `${a}=${choice[a]}|${b}=${choice[b]}`;

const pairIn = (names: string[], choice: Choice, a: string, b: string): string =>
  names.indexOf(a) < names.indexOf(b) ? pair(choice, a, b) : pair(choice, b, a);
