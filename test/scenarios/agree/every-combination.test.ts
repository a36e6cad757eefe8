import { describe, expect, test } from "vitest";
import { ORIGIN_STATES } from "../../../app/domain/origin-state.ts";
import type { OriginState } from "../../../app/domain/origin-state.ts";
import { IS_WHOLE } from "../../whole.ts";
import { allOf, pairsOf } from "./combined.ts";
import type { Choice } from "./combined.ts";
import { DIMENSIONS, keptOf } from "./dimensions.ts";
import { expectAgreement, readFour } from "./four-views.ts";
import { worldOf } from "./kept.ts";

/**
 * Whatever may stand in an origin's rows, combined: the four views agree. A short run looks at each value beside each value of every other
 * row, a whole one at all of them together. A new health, reason or outcome of the domain's types is among them, or does not compile.
 */

/** A run that ended well leaves no link of which nothing was ever compared (`app/sync/record-comparison.ts`). */
const mayBe = ({ item, link }: Choice) => !(item === "quiet" && link === "not yet saved");

const CHOICES = (
  IS_WHOLE
    ? [
        ...allOf(DIMENSIONS, ["connection", "item", "link", "carriers"]),
        ...allOf(DIMENSIONS, ["connection", "item", "link", "details", "location"]),
      ]
    : [...Object.keys(DIMENSIONS).flatMap((name) => allOf(DIMENSIONS, [name])), ...pairsOf(DIMENSIONS)]
).filter(mayBe);

describe("the four views agree", () => {
  test(`in each of ${CHOICES.length} combinations`, async () => {
    const wrong: string[] = [];
    const seen = new Set<OriginState>();
    for (const choice of CHOICES) {
      const views = await readFour(await worldOf(keptOf(choice)));
      // It was deleted, and nothing of it is left.
      if (choice.location === "deleted" && choice.link === "none") {
        expect([views.row, views.page, views.order.origins]).toEqual([undefined, null, []]);
        continue;
      }
      seen.add(views.row.state);
      try {
        expectAgreement(views);
      } catch (error) {
        wrong.push(`${Object.values(choice).join(", ")}: ${views.row.state}: ${String(error).slice(0, 300)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(ORIGIN_STATES.filter((state) => !seen.has(state))).toEqual([]);
  }, 600_000);
});
