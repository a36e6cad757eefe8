import { parseArgs } from "node:util";

import { readPostalFiles } from "../../scripts/postal-codes/read-files.ts";
import { DEMO_POSTAL_CODES } from "../sandbox/data/postal-codes.ts";
import { chanceFrom } from "./addresses/chance.ts";
import { freshRows } from "./addresses/fresh-rows.ts";
import { anyAddress, brokenLaw, LAWS } from "./addresses/laws.ts";
import type { Law } from "./addresses/laws.ts";
import type { BenchRow } from "./run.ts";

/** Broken readings that are printed of each law. */
const SHOWN = 5;

/**
 * `npm run bench -- address-laws [--addresses 100000] [--seed N] [--postal-codes P]`: addresses with every mark, kind and order, each read
 * without and with the list P, or with the demo's few codes. What holds of every reading: it answers, no word is in two fields, nothing is
 * invented that the text or the list does not hold, and what was read is read the same again.
 */
export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      addresses: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
      "postal-codes": { type: "string" },
    },
  });
  const list = values["postal-codes"];
  const codes = list === undefined ? DEMO_POSTAL_CODES : readPostalFiles([list]).codes;
  const byCode = new Map(codes.map((facts) => [facts.code, facts]));
  const chance = chanceFrom(Number(values.seed));
  const broken = new Map<Law, number>(LAWS.map((law) => [law, 0]));
  const startMs = performance.now();
  for (const row of freshRows(codes, { count: Number(values.addresses), chance })) {
    const address = anyAddress(row, chance);
    for (const postal of [null, byCode.get(address.zip ?? "") ?? null]) {
      const found = brokenLaw(address, postal);
      if (found === null) continue;
      const [law, what] = found;
      const times = broken.get(law)! + 1;
      broken.set(law, times);
      if (times <= SHOWN) console.log(`${law}: ${what}\n    ${JSON.stringify(address)}`);
    }
  }
  console.log(
    `${values.addresses} addresses in ${Math.round((performance.now() - startMs) / 1000)} s, seed ${values.seed}\n`,
  );
  return [...broken].map(([law, times]) => ({
    name: `${law}: broken`,
    figure: times,
    unit: "readings",
    goal: "0",
    met: times === 0,
  }));
}
