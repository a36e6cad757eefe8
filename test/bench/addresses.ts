import { parseArgs } from "node:util";

import { chanceFrom } from "./addresses/chance.ts";
import { score } from "./addresses/score.ts";
import { goalsOf, printDetails } from "./addresses/report.ts";
import { rowsOfFile, tableAsRows, tableAsTyped } from "./addresses/rows.ts";
import type { AddressRow } from "./addresses/address-row.ts";
import { drawStyle } from "./addresses/styles.ts";
import { typeRow } from "./addresses/typist.ts";
import type { Typed } from "./addresses/typist.ts";
import type { BenchRow } from "./run.ts";

/**
 * `npm run bench -- addresses [--file F] [--seed N] [--draws N] [--wrong]`: how well a Shopify location's text is read.
 * The table is measured as typed and typed anew in styles drawn from the seed; so is each row of F, `draws` times.
 * `--wrong` prints each field that was read wrongly.
 */
export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      file: { type: "string" },
      seed: { type: "string", default: "1" },
      draws: { type: "string", default: "5" },
      wrong: { type: "boolean", default: false },
    },
  });
  const seed = whole("--seed", values.seed);
  const draws = whole("--draws", values.draws);
  const inStyles = (rows: AddressRow[]): Typed[] => {
    const chance = chanceFrom(seed);
    return Array.from({ length: draws }, () => rows.map((row) => typeRow(row, drawStyle(chance)))).flat();
  };
  const sets: [name: string, typed: Typed[]][] = [
    ["table", tableAsTyped()],
    ["table in styles", inStyles(tableAsRows())],
    ...(values.file === undefined ? [] : [["file", inStyles(rowsOfFile(values.file))] as [string, Typed[]]]),
  ];
  console.log(WHAT_COUNTS);
  return sets.flatMap(([name, typed]) => {
    const scored = typed.map(score);
    printDetails(name, scored, values.wrong);
    return goalsOf(name, scored);
  });
}

const WHAT_COUNTS = `A field is right when its words are the true ones in their order. Not counted: case, accents and punctuation (a style may have
lost them), the form of "no number", the mark "Int.", a colonia's kind in front of its name, short forms of km, manzana, lote.
Counted: fields that the text holds or the reading gives. An alcaldía that the text lacks may be prefilled as a guess only.`;

function whole(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${option} takes a whole number above 0, not "${text}".`);
  return number;
}
