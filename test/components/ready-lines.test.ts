import type { TFunction } from "i18next";
import { expect, test } from "vitest";
import { readyLines } from "../../app/components/home/ready-lines.ts";
import type { HomeView, MoveNeedView, NeedView } from "../../app/views/home.ts";

/** Home says that nothing is pending only where its list of pending things is empty, too. */

const NONE = { yours: 0, underWay: 0 };
const origins = { ...NONE, canShip: 6, part: 0, ready: 6, total: 6, open: { canShip: NONE, part: NONE, rest: NONE } };
const t = ((key: string) => key) as unknown as TFunction<"home">;

test.each<[string, Pick<HomeView, "needs" | "moves">, string[]]>([
  ["nothing is pending", { needs: [], moves: [] }, ["ready.allDone"]],
  ["a move is to be decided", { needs: [], moves: [{} as MoveNeedView] }, []],
  ["something else is", { needs: [{} as NeedView], moves: [] }, []],
])("where %s", (_what, pending, lines) => {
  expect(readyLines({ origins, ...pending }, t)).toEqual(lines);
});

test.each<[string, Partial<typeof origins>, string[]]>([
  [
    "all of the others wait for their owner",
    { canShip: 5, yours: 1, open: { canShip: NONE, part: NONE, rest: { yours: 1, underWay: 0 } } },
    ["ready.restAll.yours"],
  ],
  [
    "all that can ship are in progress",
    { underWay: 6, open: { canShip: { yours: 0, underWay: 6 }, part: NONE, rest: NONE } },
    ["ready.ofThoseAll.underWay"],
  ],
  [
    "some of the others wait, and some are in progress",
    { canShip: 4, yours: 1, underWay: 1, open: { canShip: NONE, part: NONE, rest: { yours: 1, underWay: 1 } } },
    ["ready.rest"],
  ],
  [
    "nobody can ship, and all wait",
    { canShip: 0, yours: 6, open: { canShip: NONE, part: NONE, rest: { yours: 6, underWay: 0 } } },
    ["ready.each"],
  ],
])("counts nothing twice where %s", (_what, over, lines) => {
  expect(readyLines({ origins: { ...origins, ...over }, needs: [], moves: [] }, t)).toEqual(lines);
});

test("what is open of the origins is said beside a move that is to be decided", () => {
  const open = { canShip: { yours: 1, underWay: 0 }, part: NONE, rest: NONE };
  const view = { origins: { ...origins, yours: 1, open }, needs: [], moves: [{} as MoveNeedView] };
  expect(readyLines(view, t)).toEqual(["ready.ofThoseSome.yours"]);
});
