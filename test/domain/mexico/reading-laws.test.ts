import { describe, expect, it } from "vitest";

import { chanceFrom } from "../../bench/addresses/chance.ts";
import { freshRows } from "../../bench/addresses/fresh-rows.ts";
import { anyAddress, brokenLaw } from "../../bench/addresses/laws.ts";
import { DEMO_POSTAL_CODES } from "../../sandbox/data/postal-codes.ts";

/** What holds of every reading; `npm run bench -- address-laws` tries a hundred thousand addresses. */
describe("whatever is typed, in any order and with any mark", () => {
  const byCode = new Map(DEMO_POSTAL_CODES.map((facts) => [facts.code, facts]));

  it.each([21, 22])(
    "no word is lost to two fields, nothing is invented, and it is read the same again (seed %i)",
    (seed) => {
      const chance = chanceFrom(seed);
      for (const row of freshRows(DEMO_POSTAL_CODES, { count: 1_500, chance })) {
        const address = anyAddress(row, chance);
        const postal = byCode.get(address.zip ?? "") ?? null;
        expect([address, brokenLaw(address, null)]).toEqual([address, null]);
        expect([address, brokenLaw(address, postal)]).toEqual([address, null]);
      }
    },
  );
});
