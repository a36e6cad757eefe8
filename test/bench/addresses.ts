import { createHash } from "node:crypto";
import { parseArgs } from "node:util";

import type { PostalFacts } from "../../app/domain/mexico/postal-codes.ts";
import { readPostalFiles } from "../../scripts/postal-codes/read-files.ts";
import { chanceFrom } from "./addresses/chance.ts";
import { freshRows } from "./addresses/fresh-rows.ts";
import { score } from "./addresses/score.ts";
import { goalsOf, printDetails, WITH_LIST, WORDS_ALONE } from "./addresses/report.ts";
import { rowsOfFile, tableAsRows, tableAsTyped } from "./addresses/rows.ts";
import type { AddressRow } from "./addresses/address-row.ts";
import { drawStyle } from "./addresses/styles.ts";
import { typeRow } from "./addresses/typist.ts";
import type { Typed } from "./addresses/typist.ts";
import type { BenchRow } from "./run.ts";

/**
 * `npm run bench -- addresses [--file F] [--postal-codes P] [--seed N] [--draws N] [--fresh N] [--wrong] [--unsure] [--held]`: how well a Shopify
 * location's text is read. The table is measured as typed and typed anew in styles drawn from the seed; so is each row of F, `draws` times.
 * With a list P of postal codes, N fresh rows are drawn from it, and every set is measured without and with it. Half of the rows of F, by their
 * hash, are held back: `--wrong` prints each field that was read wrongly, and `--unsure` each that was read rightly and has to be confirmed, but of those half only
 * with `--held`.
 */
export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      file: { type: "string" },
      "postal-codes": { type: "string" },
      seed: { type: "string", default: "1" },
      draws: { type: "string", default: "5" },
      fresh: { type: "string", default: "5000" },
      wrong: { type: "boolean", default: false },
      unsure: { type: "boolean", default: false },
      held: { type: "boolean", default: false },
    },
  });
  const seed = whole("--seed", values.seed);
  const draws = whole("--draws", values.draws);
  const list = values["postal-codes"] === undefined ? null : readPostalFiles([values["postal-codes"]]).codes;
  const byCode = new Map((list ?? []).map((facts): [string, PostalFacts] => [facts.code, facts]));
  const inStyles = (rows: AddressRow[], times = draws): Typed[] => {
    const chance = chanceFrom(seed);
    return Array.from({ length: times }, () => rows.map((row) => typeRow(row, drawStyle(chance)))).flat();
  };
  const rows = values.file === undefined ? [] : rowsOfFile(values.file);
  const fresh = list
    ? freshRows(list, { count: whole("--fresh", values.fresh), chance: chanceFrom(seed + 1_000) })
    : [];
  const sets: [name: string, typed: Typed[]][] = [
    ["table", tableAsTyped()],
    ["table in styles", inStyles(tableAsRows())],
    ["file", inStyles(rows.filter((row) => !isHeldBack(row)))],
    ["file, held back", inStyles(rows.filter(isHeldBack))],
    ["fresh", inStyles(fresh, 1)],
  ];
  console.log(WHAT_COUNTS);
  return sets
    .filter(([, typed]) => typed.length > 0)
    .flatMap(([name, typed]) => {
      const mayPrint = values.held || !name.endsWith("held back");
      const prints = (here: boolean) => ({
        wrong: here && mayPrint && values.wrong,
        unsure: here && mayPrint && values.unsure,
      });
      const alone = typed.map((each) => score(each, null));
      printDetails(name, alone, prints(list === null));
      if (list === null) return goalsOf(name, alone, WORDS_ALONE);
      const scored = typed.map((each) => score(each, byCode.get(each.address.zip ?? "") ?? null));
      printDetails(`${name}, with the list`, scored, prints(true));
      return [...goalsOf(name, alone, WORDS_ALONE), ...goalsOf(`${name}, with the list`, scored, WITH_LIST)];
    });
}

/** Half of the rows: those that nobody looks at while rules are made. */
function isHeldBack(row: AddressRow): boolean {
  return (
    createHash("sha256")
      .update(JSON.stringify([row.street, row.number, row.postal_code]))
      .digest()[0]! %
      2 ===
    1
  );
}

const WHAT_COUNTS = `A field is right when its words are the true ones in their order. Not counted: case, accents and punctuation (a style may have
lost them), the form of "no number", the mark "Int.", a colonia's kind in front of its name, short forms of km, manzana, lote.
Right as well: a crossing street that moved to the reference, and the code's municipality for its city (Tlaquepaque), the city in reach.
Counted: fields that the text holds or the reading gives. An alcaldía that the text lacks may be prefilled as a guess only.`;

function whole(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${option} takes a whole number above 0, not "${text}".`);
  return number;
}
