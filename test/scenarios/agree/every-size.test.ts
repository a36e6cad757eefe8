import { describe, expect, test } from "vitest";
import { findOriginIds, readOrigins } from "../../../app/pages/read-origins.ts";
import { legacyIdOf } from "../../../app/domain/location-id.ts";
import { answerOf, CARRIER_ANSWERS } from "../../../app/domain/verification/carrier-standing.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { readOrderOrigins } from "../../../app/pages/read-order-origins.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { readReview } from "../../../app/pages/read-review.ts";
import { readShell } from "../../../app/pages/read-shell.ts";
import { listOf } from "../../../app/views/home.ts";
import type { HomeView } from "../../../app/views/home.ts";
import type { OriginRowView, OriginsQuery } from "../../../app/views/origins.ts";
import { ALL_ORIGINS, ORIGIN_TABS } from "../../../app/views/origins.ts";
import { IS_WHOLE } from "../../whole.ts";
import { SHOP } from "../../fakes/records.ts";
import type { World } from "../../fakes/world.ts";
import { allOf } from "./combined.ts";
import { CONNECTION, DIMENSIONS, keptOf } from "./dimensions.ts";
import { shopOf } from "./kept.ts";
import type { Kept } from "./kept.ts";

/**
 * Stores without a location, with one, six, sixty and a thousand, whose origins are in every state: the list, each page, Home, Review and the
 * order's page say the same of each of them, and the same number of all of them.
 */

const SIZES = [0, 1, 6, 60, 1_000];

/** A short run looks at a larger store with a connection that works alone. */
const SHORT_UP_TO = 60;

/** Of these pages so many are read. */
const PAGES_READ = 60;

const OF_ORIGIN = ["location", "details", "link", "item", "carriers"];
const ORIGINS: Kept[] = OF_ORIGIN.flatMap((name) => allOf(DIMENSIONS, [name]))
  // A run that ended well leaves no link of which nothing was ever compared.
  .filter(({ link }) => link !== "not yet saved")
  .map(keptOf)
  // Which carriers are chosen is the whole shop's.
  .filter(({ policies }) => policies === undefined);

/** Next to each other stand what is far from each other in the list. */
const originsOf = (size: number): Kept[] =>
  Array.from({ length: size }, (_one, index) => ORIGINS[(index * 37) % ORIGINS.length]!);

/** The list, all pages of it. */
async function readRows({ services }: World): Promise<OriginRowView[]> {
  const read = async (page: number) => (await readOrigins(services, { shop: SHOP, query: { ...ALL_ORIGINS, page } }))!;
  const first = await read(1);
  const rows = [...first.rows];
  for (let page = 2; page <= first.pages; page += 1) rows.push(...(await read(page)).rows);
  expect(rows.length).toBe(first.total);
  return rows;
}

const isIn = ({ state }: OriginRowView): boolean => state !== "not_included";
const count = (rows: OriginRowView[], holds: (row: OriginRowView) => boolean): number => rows.filter(holds).length;

const HEALTHS = Object.keys(CONNECTION) as (keyof typeof CONNECTION)[];

describe.each(SIZES)("a store with %i locations", (size) => {
  test.each(size > SHORT_UP_TO && !IS_WHOLE ? HEALTHS.slice(0, 1) : HEALTHS)("%s", async (health) => {
    const world = await shopOf(CONNECTION[health], originsOf(size));
    const { services } = world;
    const rows = await readRows(world);
    const home = (await readHome(services, { shop: SHOP }))!;
    expectCounts(home, rows);
    await expectLists(world, { home, rows });
    await expectReview(world, { home, rows });
    await expectEach(world, rows);
    expect(home.connection.health).toBe(health);
  });
});

/** What Home counts is what the list holds. */
function expectCounts(home: HomeView, rows: OriginRowView[]): void {
  const used = rows.filter(isIn);
  const by = (attention: string, of = used) => count(of, (row) => row.outlook.attention === attention);
  const open = (of: OriginRowView[]) => ({ yours: by("yours", of), underWay: by("itself", of) });
  const ships = (...words: string[]) => used.filter((row) => words.includes(row.outlook.ships));
  expect(home.origins).toEqual({
    total: used.length,
    canShip: ships("yes").length,
    part: ships("some").length,
    ready: count(used, ({ state }) => state === "ready"),
    ...open(used),
    open: {
      canShip: open(ships("yes")),
      part: open(ships("some")),
      rest: open(ships("unverified", "no")),
    },
  });
  for (const { carrier, before: _, ...answers } of home.carriers) {
    const said = used.map(({ standings }) => answerOf(standings.find((one) => one.carrier === carrier)!));
    const counted = CARRIER_ANSWERS.map((answer) => [answer, said.filter((one) => one === answer).length]);
    expect(answers).toEqual(Object.fromEntries(counted));
  }
  expect(home.onlyLocationId).toBe(used.length === 1 ? used[0]!.locationId : null);
}

/** Where Home leads, the list has as many as Home says, beginning with those that it names. */
async function expectLists(world: World, { home, rows }: { home: HomeView; rows: OriginRowView[] }): Promise<void> {
  const { services } = world;
  const { counts } = (await readOrigins(services, { shop: SHOP, query: ALL_ORIGINS }))!;
  const listed = async (query: Partial<OriginsQuery>) =>
    (await findOriginIds(services, { shop: SHOP, query: { ...ALL_ORIGINS, ...query } })).map(legacyIdOf);
  expect(counts.all).toBe(rows.length);
  for (const tab of ORIGIN_TABS) expect([tab, (await listed({ tab })).length]).toEqual([tab, counts[tab]]);
  expect(counts.needs_you + counts.under_way + counts.ready + counts.not_included).toBe(rows.length);
  for (const { need, count: told, origins } of home.needs) {
    const found = await listed(listOf(need));
    // What was saved and what was not stand in one list.
    expect([need, need === "parked" ? found.length >= told : found.length]).toEqual([
      need,
      need === "parked" ? true : told,
    ]);
    for (const { legacyId } of origins) expect(found).toContain(legacyId);
  }
  const unsaved = await listed({ problem: "unsaved" });
  for (const { trouble, origins } of home.troubles)
    if (trouble === "waiting") for (const { legacyId } of origins) expect(unsaved).toContain(legacyId);
  const used = rows.filter(({ state }) => state !== "not_included" && state !== "paused");
  for (const { carrier } of home.carriers)
    for (const answer of CARRIER_ANSWERS) {
      const said = used.filter(
        ({ standings }) => answerOf(standings.find((one) => one.carrier === carrier)!) === answer,
      );
      expect((await listed({ carrier: { carrier, answer } })).length).toBe(said.length);
    }
}

/** As many wait to be reviewed on Home, in the list, in Review and in the menu. */
async function expectReview(
  { services }: World,
  { home, rows }: { home: HomeView; rows: OriginRowView[] },
): Promise<void> {
  const review = (await readReview(services, { shop: SHOP }))!;
  const list = (await readOrigins(services, { shop: SHOP, query: ALL_ORIGINS }))!;
  const menu = (await readShell(services, { shop: SHOP }))!;
  const onHome = home.needs.filter(({ need }) => need === "to_review" || need === "incomplete");
  const waits = count(rows, ({ state }) => state === "to_review" || state === "incomplete");
  expect({
    review: review.rows.length + review.more,
    home: onHome.reduce((sum, need) => sum + need.count, 0),
    list: list.toReview,
    menu: menu.toReview,
  }).toEqual({ review: waits, home: waits, list: waits, menu: waits });
}

/** Each one's page, and the page of an order that is fulfilled from it, say what the list says. */
async function expectEach({ services }: World, rows: OriginRowView[]): Promise<void> {
  const every = Math.max(1, Math.floor(rows.length / PAGES_READ));
  for (const row of rows.filter((_one, index) => index % every === 0)) {
    const page = (await readOrigin(services, { shop: SHOP, locationId: row.locationId }))!;
    expect([row.name, page.state, page.outlook]).toEqual([row.name, row.state, row.outlook]);
    expect(page.standings).toEqual(row.standings);
  }
  const ids = rows.map(({ locationId }) => locationId);
  const order = await readOrderOrigins(services, { shop: SHOP, locationIds: ids });
  const told = new Map(order.origins.map(({ locationId, state }) => [locationId, state]));
  expect(rows.map(({ locationId }) => told.get(locationId))).toEqual(rows.map(({ state }) => state));
  expect(order.unknown).toEqual([]);
}
