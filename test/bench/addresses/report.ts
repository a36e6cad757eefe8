import type { BenchRow } from "../run.ts";
import type { Scored, Verdict } from "./score.ts";
import { MEASURED } from "./typist.ts";

type Count = Record<Verdict, number>;

function count(verdicts: Verdict[]): Count {
  const counts: Count = { "right-sure": 0, "right-unsure": 0, "wrong-unsure": 0, "wrong-sure": 0, "not-counted": 0 };
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}

const all = (counts: Count): number =>
  counts["right-sure"] + counts["right-unsure"] + counts["wrong-unsure"] + counts["wrong-sure"];

const right = (counts: Count): number => counts["right-sure"] + counts["right-unsure"];

const percent = (part: number, of: number): number => (of === 0 ? 100 : Math.round((10_000 * part) / of) / 100);

/** What is asked of a set of addresses, in per cent. */
interface Goals {
  right: number;
  effortless: number;
  wrongSure: number;
}

/** Of a reading of the words alone, and of one with the list of postal codes. */
export const WORDS_ALONE: Goals = { right: 98, effortless: 85, wrongSure: 0.3 };
export const WITH_LIST: Goals = { right: 99, effortless: 93, wrongSure: 0.1 };

/** The four goals of a set of addresses. */
export function goalsOf(name: string, scored: Scored[], goals: Goals = WORDS_ALONE): BenchRow[] {
  const fields = count(scored.flatMap(({ verdicts }) => Object.values(verdicts)));
  const complete = scored.filter(({ isComplete }) => isComplete);
  const effortless = complete.filter(({ isEffortless }) => isEffortless).length;
  const goal = (what: string, figure: number, bound: number, isCeiling = false): BenchRow => ({
    name: `${name}: ${what}`,
    figure,
    unit: "%",
    goal: `${isCeiling ? "≤" : "≥"} ${bound}`,
    met: isCeiling ? figure <= bound : figure >= bound,
  });
  return [
    goal("fields right", percent(right(fields), all(fields)), goals.right),
    goal("of the right ones sure", percent(fields["right-sure"], right(fields)), 90),
    goal("complete addresses that need no confirmation", percent(effortless, complete.length), goals.effortless),
    goal("wrong and sure", percent(fields["wrong-sure"], all(fields)), goals.wrongSure, true),
  ];
}

/** Prints the same measures by field and by kind of address; a kind with `~` is one of typing. */
export function printDetails(name: string, scored: Scored[], prints: { wrong: boolean; unsure: boolean }): void {
  console.log(`\n${name}: ${scored.length} addresses`);
  const line = (title: string, counts: Count) =>
    [
      title.padEnd(28),
      String(all(counts)).padStart(6),
      `${percent(right(counts), all(counts)).toFixed(1)} %`.padStart(9),
      `${percent(counts["right-sure"], right(counts)).toFixed(1)} %`.padStart(9),
      String(counts["wrong-sure"]).padStart(11),
    ].join(" ");
  console.log(["field or kind".padEnd(28), "fields", "    right", "     sure", " wrong+sure"].join(" "));
  for (const field of MEASURED) console.log(line(field, count(scored.map(({ verdicts }) => verdicts[field]))));
  for (const kind of [...new Set(scored.flatMap(({ typed }) => typed.kinds))].sort()) {
    const of = scored.filter(({ typed }) => typed.kinds.includes(kind));
    console.log(line(kind, count(of.flatMap(({ verdicts }) => Object.values(verdicts)))));
  }
  if (prints.wrong) scored.forEach((each) => print(each, "wrong"));
  if (prints.unsure) scored.forEach((each) => print(each, "right-unsure"));
  console.log();
}

function print({ typed, reading, verdicts }: Scored, which: "wrong" | "right-unsure"): void {
  for (const field of MEASURED.filter((each) => verdicts[each].startsWith(which))) {
    const { address1, address2, city, zip } = typed.address;
    console.log(`${verdicts[field]} ${field}: read «${reading[field].value}», is «${typed.expected[field]}»`);
    console.log(`    ${JSON.stringify([address1, address2, city, zip])}`);
  }
}
