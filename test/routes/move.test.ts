import { describe, expect, test } from "vitest";
import type { MoveIntent } from "../../app/components/move/move-intent.ts";
import { addressText } from "../../app/domain/address/text.ts";
import { eachField } from "../../app/domain/address/form-fields.ts";
import { PLACE_FIELDS } from "../../app/domain/address/place.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readMove } from "../../app/pages/read-move.ts";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import { readOrigins } from "../../app/pages/read-origins.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import { moveRecord, SHOP } from "../fakes/records.ts";
import { mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { DONE, locationId, page, post as sync, synced } from "./origin-stage.ts";
import { posting } from "./posting.ts";

/** The commands of a move's page, and what every page says of the move: one sentence. */

const post = posting<MoveIntent>(() => import("../../app/routes/app.origins.$locationId_.move/route.tsx"), {
  locationId: "1",
});
const place = eachField(PLACE_FIELDS, (field) => moveRecord().place[field] ?? "");
const plan = { intent: "plan", place, hour: null, keepFormer: true } as const;
const move = async (world: World) => (await readMove(world.services, { shop: SHOP, locationId }))!;
const day = { hour: "2099-01-01T09:00", keepFormer: false };

async function planned(): Promise<World> {
  const { world } = await synced();
  // The order pages are production's.
  await world.store.connections.update({ shop: SHOP }, { environment: "production" });
  await world.store.links.update({ shop: SHOP }, { environment: "production" });
  expect(await post(world, plan)).toMatchObject({ said: { intent: "plan", ...DONE } });
  await world.runFor(60_000);
  return world;
}

/** What each page says of it. */
async function told(world: World): Promise<(string | undefined)[]> {
  const { services } = world;
  const list = await readOrigins(services, { shop: SHOP, query: ALL_ORIGINS });
  const orders = await readOrderOrigins(services, { shop: SHOP, locationIds: [locationId] });
  const views = [await page(world), list!.rows[0]!, orders.origins[0]!];
  return [(await move(world)).news?.code, ...views.map((view) => view.move?.code)];
}

describe("a move's page", () => {
  test("plans, changes the day, moves at a press, and every page says the same", async () => {
    const world = await planned();
    expect(await move(world)).toMatchObject({
      coming: { lines: ["Calle Morelos 55", "Americana", "44160 Guadalajara", "Jalisco"] },
    });
    expect(new Set(await told(world))).toEqual(new Set(["by_hand"]));
    await post(world, { intent: "day", ...day });
    expect(new Set(await told(world))).toEqual(new Set(["planned"]));
    expect(await post(world, { intent: "press", anyway: false })).toMatchObject({ said: { intent: "press", ...DONE } });
    await world.runFor(60_000);
    expect(new Set(await told(world))).toEqual(new Set(["held"]));
    expect(await move(world)).toMatchObject({ coming: null, held: { why: "moved", isElsewhere: false } });
  });

  test("says why not", async () => {
    const { world } = await synced();
    const said = async (intent: MoveIntent) => (await post(world, intent)).said;
    expect(await said(plan)).toMatchObject({ kind: "test_account" });
    // So its form is not offered there.
    expect(await move(world)).toMatchObject({ isTest: true });
    await world.store.connections.update({ shop: SHOP }, { environment: "production" });
    expect(await said({ ...plan, place: { ...place, street1: "" } })).toMatchObject({
      kind: "invalid",
      problems: [{ field: "street1", code: "missing" }],
    });
    expect(await said({ ...plan, hour: "2020-01-01T09:00" })).toMatchObject({ kind: "hour" });
    for (const intent of ["again", "cancel"] as const)
      expect(await said({ intent })).toMatchObject({ kind: "changed_since" });
    await world.store.details.update({ locationId }, { paused: true });
    expect(await said(plan)).toMatchObject({ kind: "no_origin" });
    expect(await move(world)).toMatchObject({ canPlan: false, isTest: false });
  });

  test("is called off, and is on no page then", async () => {
    const world = await planned();
    await post(world, { intent: "cancel" });
    expect(new Set(await told(world))).toEqual(new Set([undefined]));
  });

  test("asks its owner, on Home too", async () => {
    const world = await planned();
    await world.store.moves.update({ locationId }, { asks: "taken", hour: null });
    expect(new Set(await told(world))).toEqual(new Set(["taken"]));
    expect((await readHome(world.services, { shop: SHOP }))!.moves).toMatchObject([{ news: { code: "taken" } }]);
  });

  test("lets its owner choose where Shopify shows a third address; the order page asks for no street", async () => {
    const world = await planned();
    await post(world, { intent: "press", anyway: false });
    await world.runFor(60_000);
    const third = mexicanAddress({ street: "Calle Hidalgo", number: "9" });
    world.shopify.put(SHOP, { ...shopifyLocation(1), address: third, shopifyAtMs: world.clock.nowMs() });
    await sync(world, { intent: "sync" });
    expect(new Set(await told(world))).toEqual(new Set(["elsewhere"]));
    const orders = await readOrderOrigins(world.services, { shop: SHOP, locationIds: [locationId] });
    expect(orders.origins[0]).toMatchObject({ state: "incomplete", form: null });
    const { held } = await move(world);
    expect(held).toMatchObject({ isElsewhere: true, readFrom: addressText(third) });
    const { revision, readFrom } = held!;
    await post(world, { intent: "settle", keep: "shopify", revision, readFrom });
    await world.runFor(60_000);
    expect(new Set(await told(world))).toEqual(new Set([undefined]));
  });
});
