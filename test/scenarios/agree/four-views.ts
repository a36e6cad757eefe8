import { expect } from "vitest";
import type { OriginState } from "../../../app/domain/origin-state.ts";
import { accountNote } from "../../../app/components/origin/address-words.ts";
import { differs } from "../../../app/domain/plan/three-way.ts";
import { answerOf, CARRIER_ANSWERS, saidBefore } from "../../../app/domain/verification/carrier-standing.ts";
import type { Attention, Outlook } from "../../../app/domain/readiness.ts";
import { countSteps, turnOf } from "../../../app/domain/readiness.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { readOrderOrigins } from "../../../app/pages/read-order-origins.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { legacyIdOf } from "../../../app/domain/location-id.ts";
import type { HomeView } from "../../../app/views/home.ts";
import type { OrderOriginsView } from "../../../app/views/order-origins.ts";
import type { OriginView } from "../../../app/views/origin.ts";
import type { OriginRowView, OriginTab } from "../../../app/views/origins.ts";
import { ALL_ORIGINS, ORIGIN_TABS } from "../../../app/views/origins.ts";
import type { ShopHealth } from "../../../app/views/shell.ts";
import { SHOP } from "../../fakes/records.ts";
import type { World } from "../../fakes/world.ts";
import { KEY } from "./kept.ts";

/** One origin as the list, its own page, Home and the order's page tell it, and what none of them may say otherwise than another. */

export interface FourViews {
  row: OriginRowView;
  /** The tabs of the list in which it stands, beside the one of all. */
  tabs: OriginTab[];
  page: OriginView;
  home: HomeView;
  order: OrderOriginsView;
}

export async function readFour({ services }: World): Promise<FourViews> {
  const read = async (tab: OriginTab) =>
    (await readOrigins(services, { shop: SHOP, query: { ...ALL_ORIGINS, tab } }))!.rows;
  const [row] = await read("all");
  const tabs: OriginTab[] = [];
  for (const tab of ORIGIN_TABS) if (tab !== "all" && (await read(tab)).length === 1) tabs.push(tab);
  return {
    row: row!,
    tabs,
    page: (await readOrigin(services, { shop: SHOP, locationId: KEY }))!,
    home: (await readHome(services, { shop: SHOP }))!,
    order: await readOrderOrigins(services, { shop: SHOP, locationIds: [KEY] }),
  };
}

/** The tab of the list in which an origin stands that is in use. */
const TABS: Record<Attention, OriginTab> = { yours: "needs_you", itself: "under_way", none: "ready" };

/** Whether the owner has to mend the connection first, which every page says at its top. */
const IS_OWNERS: Record<ShopHealth, boolean> = {
  ready: false,
  failing: false,
  none: true,
  invalid: true,
  unreadable: true,
  unconfirmed: true,
  shut: true,
};

const NONE = { yours: 0, underWay: 0 };
/** Beside which of its counts Home tells what is open of an origin. */
const GROUPS: Record<Outlook["ships"], keyof HomeView["origins"]["open"]> = {
  yes: "canShip",
  some: "part",
  unverified: "rest",
  no: "rest",
};

const isUsed = (state: OriginState): boolean => state !== "not_included" && state !== "paused";

/** @throws where one view says of it what another does not. */
export function expectAgreement({ row, tabs, page, home, order }: FourViews): void {
  const { state, outlook } = row;
  const [ordered] = order.origins;
  const connection = home.connection.health;
  expect({ page: page.state, order: ordered!.state }).toEqual({ page: state, order: state });
  expect(page.outlook).toEqual(outlook);
  expect(ordered!.attention).toBe(outlook.attention);
  expect(order.connection).toBe(connection);
  expectTurn({ row, tabs, page, home, order });
  expectCarriers({ row, tabs, page, home, order });

  // What Home counts of it.
  const open = { yours: Number(outlook.attention === "yours"), underWay: Number(outlook.attention === "itself") };
  const included = page.exclusion === null;
  expect(ordered!.exclusion).toBe(page.exclusion);
  expect(home.origins).toEqual({
    total: Number(included),
    canShip: Number(included && outlook.ships === "yes"),
    ready: Number(state === "ready"),
    ...open,
    part: Number(included && outlook.ships === "some"),
    open: { ...{ canShip: NONE, part: NONE, rest: NONE }, ...(included && { [GROUPS[outlook.ships]]: open }) },
  });
  expectFields({ row, tabs, page, home, order });
  expectAccount({ row, tabs, page, home, order });
}

/** Whose turn it is: in the list's tab, on the page as steps, and on Home as the origin's or the connection's need. */
function expectTurn({ row, tabs, page, home, order }: FourViews): void {
  const { state, outlook } = row;
  const { attention } = outlook;
  expect(tabs).toEqual([isUsed(state) ? TABS[attention] : "not_included"]);
  expect(countSteps(page.readiness) > 0).toBe(attention === "yours");
  const need = home.needs.map(({ need: one }) => one);
  // What keeps failing is told beside the state that its owner sees first.
  for (const one of need) expect([state, "parked"]).toContain(one);
  const told = need.length > 0 || home.troubles.length > 0 || IS_OWNERS[home.connection.health];
  if (attention === "yours") expect(told).toBe(true);
  // A location that left may have a template that cannot be deleted.
  else if (isUsed(state)) expect(need).toEqual([]);
  if (attention === "itself") {
    const open = page.readiness.filter(({ met }) => !met).map(turnOf);
    expect(open.filter((turn) => turn === "yours")).toEqual([]);
    expect(order.origins[0]!.moving).toBe(true);
  }
  if (state === "ready") expect([outlook.ships, order.origins[0]!.form]).toEqual(["yes", null]);
}

/** What carriers said: the same of each on every page, and counted so on Home. */
function expectCarriers({ row, page, home, order }: FourViews): void {
  const told = ({ carrier, outcome, stale, question, chosen }: OriginRowView["standings"][number]) => ({
    carrier,
    outcome,
    stale,
    question,
    chosen,
  });
  expect(page.standings.map(told)).toEqual(row.standings.map(told));
  expect(order.origins[0]!.carriers.map((one) => told(one as never))).toEqual(row.standings.map(told));
  if (page.exclusion !== null) return;
  for (const { carrier, before, ...counts } of home.carriers) {
    const of = row.standings.find((one) => one.carrier === carrier)!;
    // The list is filtered by the same answers.
    const answers = Object.fromEntries(CARRIER_ANSWERS.map((answer) => [answer, Number(answer === answerOf(of))]));
    expect({ ...counts, before }).toEqual({ ...answers, before: Number(saidBefore(of)) });
  }
}

/** Where the page says that the account has the same, nothing differs and no view says that something is to be saved or chosen. */
function expectAccount({ row, page, order }: FourViews): void {
  const note = accountNote(page);
  expect(note === "left").toBe(page.exclusion !== null);
  if (note === null || note === "left") return;
  const differing = page.fields.filter(({ field, value, there }) => differs(field, value, there));
  expect(differing.map(({ field, fate }) => [field, fate])).toEqual(differing.map(({ field }) => [field, "kept"]));
  expect({ differences: page.differences, pending: page.pending }).toEqual({ differences: [], pending: false });
  if (note === "sameWhenRead") return;
  expect(["changing", "conflict", "missing_there", "drift", "parked", "waiting"]).not.toContain(row.state);
  expect(["ready", "failing", "shut"]).toContain(order.connection);
}

/** What is missing: on the list a number, on the page by field, on the order's page as what is asked there or mended in Shopify. */
function expectFields({ row, page, order }: FourViews): void {
  const [ordered] = order.origins;
  const lacking = page.fields.filter(({ severity }) => severity === "error").map(({ field }) => field);
  expect(row.missing).toBe(lacking.length);
  if (!isUsed(row.state)) return;
  const asked = [
    ...(ordered!.form?.fields ?? []).filter(({ problem }) => problem !== null).map(({ field }) => field as string),
    ...ordered!.inShopify.map(({ field }) => field as string),
  ];
  expect(asked.toSorted()).toEqual(lacking.map(String).toSorted());
  const open = page.connection !== null && page.connection.closed === null;
  expect(ordered!.canSync).toBe(open);
  expect(ordered!.canVerify).toBe(open && page.template !== null && page.missingSinceMs === null);
  expect(ordered!.legacyId).toBe(legacyIdOf(KEY));
}
