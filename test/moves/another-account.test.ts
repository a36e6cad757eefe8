import { beforeEach, expect, test } from "vitest";
import { connectAccount } from "../../app/account/connect-account.ts";
import { disconnectAccount } from "../../app/account/disconnect-account.ts";
import { switchEnvironment } from "../../app/account/switch-environment.ts";
import { markerIn } from "../../app/domain/marker.ts";
import type { Environment } from "../../app/domain/records.ts";
import { cancelMove, pressMove } from "../../app/moves/change-move.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import { readMove } from "../../app/pages/read-move.ts";
import { SHOP } from "../fakes/records.ts";
import { createFakeAccount } from "../fakes/shipping/account.ts";
import { createMovingStage, HOUR_MS, MINUTE_MS } from "./stage.ts";
import type { MovingStage } from "./stage.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { EMPTY_LIST } from "../fakes/shipping/outcomes.ts";
import { FAILS } from "../scenarios/worker/stuck-stage.ts";

/** A location moves in production's account while another one is in use, or none. */

let stage: MovingStage;
const runFor = (ms: number) => stage.world.runFor(ms);
const press = () => stage.world.clock.runWhile(pressMove(stage.world.services, { ...stage.own, anyway: false }));
const view = async () => (await readMove(stage.world.services, stage.own))!;
const switchTo = async (environment: Environment) => {
  const { clock, services } = stage.world;
  expect(await clock.runWhile(switchEnvironment(services, { shop: SHOP, environment }))).toEqual({ kind: "switched" });
};

beforeEach(async () => {
  stage = await createMovingStage();
  const { accounts, clock, services } = stage.world;
  const habits = { wipes: false, tidies: false, refuses: [] };
  accounts.set("test client-1", createFakeAccount({ habits, newId: () => services.random.id() }));
  const stated = { environment: "test", clientId: "client-1", clientSecret: "a-secret", scope: null } as const;
  await clock.runWhile(connectAccount(services, { shop: SHOP, stated: { ...stated, redirectUri: null } }));
  await runFor(5 * MINUTE_MS);
  await switchTo("production");
  await runFor(5 * MINUTE_MS);
});

test("a press over the other account says why nothing moves, and is none when its own is taken up again", async () => {
  const { templateId } = await stage.plan({ hour: stage.hourIn(20 * HOUR_MS) });
  expect((await view()).coming).toMatchObject({ canPass: true });
  await switchTo("test");
  expect(await view()).toMatchObject({ news: { code: "on_hold" }, coming: { canPass: false } });
  await stage.world.store.verifications.update({ templateId: templateId! }, { outcome: "wanted", question: "wanted" });
  expect((await view()).coming!.standings.map(({ outcome }) => outcome)).not.toContain("wanted");
  expect(await press()).toEqual({ kind: "on_hold" });
  await runFor(2 * HOUR_MS);
  await switchTo("production");
  await runFor(2 * HOUR_MS);
  expect(await stage.move()).toMatchObject({ state: "coming", press: null });
  expect(await stage.world.store.links.count({ ...stage.own, templateId: templateId! })).toBe(0);
});

test("a press that an outage kept from passing is taken back where another account is taken up meanwhile", async () => {
  const { templateId } = await stage.plan({ hour: null });
  stage.world.outcomeOf = (operation) => (operation === "get" ? FAILS : PROMPT);
  await press();
  expect(await stage.move()).toMatchObject({ state: "coming", press: "now" });
  await switchTo("test");
  await runFor(2 * HOUR_MS);
  stage.world.outcomeOf = () => PROMPT;
  await switchTo("production");
  await runFor(2 * HOUR_MS);
  expect(await stage.move()).toMatchObject({ state: "coming", press: null });
  expect(await stage.world.store.links.count({ ...stage.own, templateId: templateId! })).toBe(0);
});

test("after a disconnect no hour is promised, and a press says why nothing moves", async () => {
  await stage.plan({ hour: stage.hourIn(HOUR_MS) });
  await stage.world.clock.runWhile(disconnectAccount(stage.world.services, { shop: SHOP }));
  expect(await press()).toEqual({ kind: "on_hold" });
  expect(await stage.move()).toMatchObject({ press: null });
  expect((await view()).coming).toMatchObject({ canPass: false });
  expect((await view()).news).toMatchObject({ code: "on_hold" });
  await runFor(2 * HOUR_MS);
  expect((await view()).news).toMatchObject({ code: "on_hold" });
});

test("a move that is called off over the test account is told of in production's activity", async () => {
  await stage.plan({ hour: stage.hourIn(20 * HOUR_MS) });
  await switchTo("test");
  expect(await stage.world.clock.runWhile(cancelMove(stage.world.services, stage.own))).toMatchObject({ kind: "done" });
  expect(await stage.world.store.activity.list({ ...stage.own, kind: "move_cancelled" })).toMatchObject([
    { environment: "production" },
  ]);
});

test("what production's owner is asked is asked over production's account alone", async () => {
  const { templateId } = await stage.plan({ hour: stage.hourIn(HOUR_MS) });
  await runFor(40 * MINUTE_MS);
  stage.world.account.delete(templateId!);
  await runFor(4 * HOUR_MS);
  expect((await view()).news).toMatchObject({ code: "missing" });
  await switchTo("test");
  expect((await view()).news).toMatchObject({ code: "on_hold" });
  const home = (await readHome(stage.world.services, { shop: SHOP }))!;
  expect(home.moves).toEqual([]);
});

test("an order's page says that it waits, before its hour and after, for nothing moves over the test account", async () => {
  await stage.plan({ hour: stage.hourIn(HOUR_MS) });
  const { services } = stage.world;
  const ofOrder = async () =>
    (await readOrderOrigins(services, { shop: SHOP, locationIds: [stage.key] })).origins[0]!.move;
  expect(await ofOrder()).toMatchObject({ code: "planned" });
  await switchTo("test");
  expect(await ofOrder()).toEqual({ code: "on_hold", atMs: null });
  await runFor(2 * HOUR_MS);
  expect(await ofOrder()).toEqual({ code: "on_hold", atMs: null });
  await switchTo("production");
  expect(await ofOrder()).toMatchObject({ code: "due" });
  await runFor(HOUR_MS);
  await switchTo("test");
  expect(await ofOrder()).toMatchObject({ code: "held" });
});

test("whose own account is taken up again shortly before the hour passes over at the hour", async () => {
  const { templateId } = await stage.plan({ hour: stage.hourIn(HOUR_MS) });
  await runFor(40 * MINUTE_MS);
  await switchTo("test");
  await stage.world.requestWork("move", stage.key);
  stage.world.services.wake();
  await runFor(10 * MINUTE_MS);
  await switchTo("production");
  await runFor(12 * MINUTE_MS);
  const { connectionId } = (await stage.move())!;
  expect(await stage.world.store.links.find({ ...stage.own, connectionId })).toMatchObject({ templateId });
});

test("what a create made that nobody followed is taken, and not made again, once the list shows it", async () => {
  const { templateId, marker, sent } = await stage.plan({ hour: stage.hourIn(20 * HOUR_MS) });
  const { world, own } = stage;
  // As it is left when another account comes into use before its answer, and the list is broken when this one is in use again.
  world.outcomeOf = (operation, { perPage }) => (operation === "list" && perPage !== 1 ? EMPTY_LIST : PROMPT);
  const of = { shop: SHOP, templateId: templateId! };
  await world.store.templates.delete(of);
  await world.store.verifications.delete(of);
  await world.store.workItems.delete({ shop: SHOP, kind: "verification" });
  await world.store.moves.update({ ...own, marker }, { templateId: null, answered: null, sent });
  const { contact } = await stage.details();
  await world.store.details.update(own, { contact: { ...contact, phone: "3374028315" } });
  await world.store.connections.update({ shop: SHOP, current: true }, { bookReadAtMs: null, bookConfirmedAtMs: null });
  await world.requestWork("move", stage.key);
  world.services.wake();
  await runFor(10 * MINUTE_MS);
  expect((await stage.move())!.templateId).toBeNull();
  world.outcomeOf = () => PROMPT;
  await runFor(30 * MINUTE_MS);
  expect((await stage.move())!.templateId).toBe(templateId);
  // The newer phone is ours to send, and no change of somebody's that it is not there.
  expect((await stage.move())!.sent!.address_attributes.phone).toBe(sent!.address_attributes.phone);
  const named = [...world.account.templates.values()].filter(({ alias_name }) => markerIn(alias_name) === marker);
  expect(named.map(({ id }) => id)).toEqual([templateId]);
});
