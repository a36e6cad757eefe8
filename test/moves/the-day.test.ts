import { beforeEach, describe, expect, test } from "vitest";
import { cancelMove, changeDay, makeComingAgain, pressMove } from "../../app/moves/change-move.ts";
import { readOriginFacts } from "../../app/readings/read-origin-facts.ts";
import { linkOrigin } from "../../app/origins/link-origin.ts";
import { pauseOrigin } from "../../app/origins/pause-origin.ts";
import { removeTemplate } from "../../app/origins/remove-template.ts";
import { readMove } from "../../app/pages/read-move.ts";
import { readAddressBook } from "../../app/pages/read-address-book.ts";
import { versionOf } from "../../app/domain/plan/template-version.ts";
import { NO_CONTACT, SHOP } from "../fakes/records.ts";
import { showsWrongDate } from "../fakes/shipping/wrong-date.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { REQUEST_LOST } from "../fakes/shipping/outcomes.ts";
import { COMING, createMovingStage, HOUR_MS, MINUTE_MS } from "./stage.ts";
import type { MovingStage } from "./stage.ts";

/**
 * A location moves: what is made, when the link passes over, and what holds until Shopify shows it.
 *
 * Long, because everything that may meet the hour or the press meets it from the same stage.
 */

let stage: MovingStage;
const runFor = (ms: number) => stage.world.runFor(ms);
const press = (anyway = false) => stage.world.clock.runWhile(pressMove(stage.world.services, { ...stage.own, anyway }));
/** The street that the location says. */
const streetHeld = async () =>
  (await readOriginFacts(stage.world.services, { shop: SHOP, locationId: stage.key }))!.origins[0]!.composed.attributes
    ?.street1;
const FORMER = "Avenida Vallarta";

beforeEach(async () => {
  stage = await createMovingStage();
});

describe("at the hour", () => {
  test("the link passes over, nothing is deleted, and the location says the coming address", async () => {
    const { templateId: former } = await stage.link();
    const { templateId, marker } = await stage.plan({ hour: stage.hourIn(3 * HOUR_MS) });
    await runFor(2.9 * HOUR_MS);
    expect((await stage.link()).templateId).toBe(former);
    await runFor(0.2 * HOUR_MS);
    expect(await stage.link()).toMatchObject({ templateId, how: "created" });
    expect(await stage.details()).toMatchObject({ marker, split: null, held: { why: "moved", values: COMING } });
    expect(await streetHeld()).toBe("Calle Morelos");
    expect(stage.street(former)).toBe(FORMER);
    expect(stage.writes()).toEqual(["create"]);
    expect((await stage.noted()).filter((kind) => kind === "moved")).toHaveLength(1);
    await runFor(12 * HOUR_MS);
    expect(stage.street(templateId!)).toBe("Calle Morelos");
    expect(stage.writes()).toEqual(["create"]);
  });

  test("a process that was not there passes it over when it is", async () => {
    const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
    await stage.world.store.connections.update({ shop: SHOP }, { state: "disconnected" });
    await runFor(4 * HOUR_MS);
    expect((await stage.link()).templateId).not.toBe(templateId);
    await stage.world.store.connections.update({ shop: SHOP }, { state: "active" });
    await stage.world.requestWork("move", stage.key);
    stage.world.services.wake();
    await runFor(MINUTE_MS);
    expect((await stage.link()).templateId).toBe(templateId);
  });

  test("a press that the service does not answer is told as one until it does", async () => {
    const { templateId } = await stage.plan();
    const told = async () => (await readMove(stage.world.services, stage.own))!;
    const isPressed = async () => (await told()).coming?.isPressed;
    expect(await isPressed()).toBe(false);
    expect((await told()).news?.code).toBe("by_hand");
    stage.world.outcomeOf = () => REQUEST_LOST;
    expect(await press()).toMatchObject({ kind: "done", progress: { kind: "under_way" } });
    await runFor(10 * MINUTE_MS);
    expect(await isPressed()).toBe(true);
    // Nobody is told to press again.
    expect((await told()).news?.code).toBe("due");
    stage.world.outcomeOf = () => PROMPT;
    await runFor(HOUR_MS);
    expect((await stage.link()).templateId).toBe(templateId);
  });

  test("it passes although the service shows a wrong date for good", async () => {
    showsWrongDate(stage.world, -2 * HOUR_MS);
    const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
    await runFor(2.1 * HOUR_MS);
    expect((await stage.link()).templateId).toBe(templateId);
  });

  test("a process whose date is somewhat ahead waits until Shopify's clock says that the hour has come", async () => {
    const hour = stage.hourIn(3 * HOUR_MS);
    const { templateId } = await stage.plan({ hour });
    stage.world.machine.jump(50 * MINUTE_MS);
    stage.world.boot();
    await runFor(2.9 * HOUR_MS);
    expect((await stage.link()).templateId).not.toBe(templateId);
    await runFor(0.2 * HOUR_MS);
    expect((await stage.link()).templateId).toBe(templateId);
  });

  test("nothing passes, and nobody is asked, by a date that no server confirms", async () => {
    const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
    stage.world.services.dates.opinions = () => [];
    await runFor(4 * HOUR_MS);
    expect(await stage.move()).toMatchObject({ state: "coming", asks: null });
    expect((await stage.link()).templateId).not.toBe(templateId);
  });

  test("a press passes it over at once, whatever the date", async () => {
    const { templateId } = await stage.plan();
    stage.world.services.dates.opinions = () => [];
    expect(await press()).toMatchObject({ kind: "done", progress: { kind: "done" } });
    expect((await stage.link()).templateId).toBe(templateId);
  });

  test("a carrier that refuses it: the owner is asked, and may press all the same", async () => {
    const { templateId } = await stage.plan({ hour: stage.hourIn(6 * HOUR_MS) });
    stage.world.account.setVerdict(templateId!, "dhl", "rejected");
    await runFor(7 * HOUR_MS);
    expect(await stage.move()).toMatchObject({ asks: "refused", hour: null });
    expect(await press()).toEqual({ kind: "asked", asks: "refused" });
    expect((await stage.link()).templateId).not.toBe(templateId);
    await press(true);
    expect((await stage.link()).templateId).toBe(templateId);
    expect((await stage.noted()).filter((kind) => kind === "move_asks_refused").length).toBeGreaterThan(0);
  });

  test("a template that is gone: the owner is asked, and has it made again", async () => {
    const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
    stage.world.account.byPerson.remove(templateId!);
    await runFor(3 * HOUR_MS);
    expect(await stage.move()).toMatchObject({ asks: "missing", templateId: null });
    await stage.world.clock.runWhile(makeComingAgain(stage.world.services, stage.own));
    await runFor(5 * MINUTE_MS);
    expect((await stage.move())!.templateId).not.toBeNull();
    await press();
    expect(await streetHeld()).toBe("Calle Morelos");
  });

  test("one that somebody has linked to another location is that one's: it is not written any more", async () => {
    const other = await stage.world.addLocation(2);
    await stage.world.store.details.update({ shop: SHOP, locationId: other }, { inclusion: "never" });
    await stage.world.requestWork("reconcile", "shop");
    await runFor(5 * MINUTE_MS);
    const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
    const row = (await stage.world.store.templates.find({ shop: SHOP, templateId: templateId! }))!;
    const linked = await stage.world.clock.runWhile(
      linkOrigin(stage.world.services, {
        shop: SHOP,
        locationId: other,
        templateId: templateId!,
        templateVersion: versionOf(row.template),
      }),
    );
    expect(linked.kind).toBe("done");
    await runFor(MINUTE_MS);
    stage.world.calls.length = 0;
    await stage.world.store.shops.update(
      { shop: SHOP },
      { contact: { ...NO_CONTACT, name: "Otra", email: "o@example.com", reference: "X" } },
    );
    await stage.world.requestWork("move", stage.key);
    stage.world.services.wake();
    await runFor(3 * HOUR_MS);
    expect(await stage.move()).toMatchObject({ asks: "taken" });
    expect((await stage.link()).templateId).not.toBe(templateId);
  });

  test.each(["pause", "exclude"] as const)(
    "a location that is not served keeps its template, and its owner is asked: %s",
    async (how) => {
      const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
      if (how === "pause")
        await pauseOrigin(stage.world.services, { shop: SHOP, locationIds: [stage.key], paused: true });
      else await stage.world.store.details.update(stage.own, { inclusion: "never" });
      await runFor(3 * HOUR_MS);
      expect(await stage.move()).toMatchObject({ asks: "no_origin" });
      expect((await stage.link()).templateId).not.toBe(templateId);
    },
  );

  test("another day answers what was asked", async () => {
    const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
    await pauseOrigin(stage.world.services, { shop: SHOP, locationIds: [stage.key], paused: true });
    await runFor(3 * HOUR_MS);
    await pauseOrigin(stage.world.services, { shop: SHOP, locationIds: [stage.key], paused: false });
    const day = { hour: stage.hourIn(2 * HOUR_MS), keepFormer: false };
    await stage.world.clock.runWhile(changeDay(stage.world.services, { ...stage.own, day }));
    expect(await stage.move()).toMatchObject({ asks: null });
    await runFor(3 * HOUR_MS);
    expect((await stage.link()).templateId).toBe(templateId);
    expect(await stage.move()).toBeNull();
  });
});

test("a coming address that its owner has deleted a moment ago, and that a GET still shows, is asked about", async () => {
  const { templateId: former } = await stage.link();
  const { templateId } = await stage.plan();
  const { world } = stage;
  const deletion = { shop: SHOP, draftId: "d1", templateId: templateId! };
  expect(await world.clock.runWhile(removeTemplate(world.services, deletion))).toMatchObject({ kind: "done" });
  world.outcomeOf = (operation) => (operation === "get" ? { ...PROMPT, behindMs: 20_000 } : PROMPT);
  await press();
  await runFor(10 * MINUTE_MS);
  expect((await stage.link()).templateId).toBe(former);
  expect(await stage.move()).toMatchObject({ asks: "missing", templateId: null });
});

describe("the default", () => {
  const byDefault = () => [...stage.world.account.templates.values()].filter((one) => one.default).map(({ id }) => id);

  test("passes with the location's run; only then what we made default gives it up", async () => {
    stage = await createMovingStage({ defaultLocationId: "gid://shopify/Location/1" });
    const { templateId: former } = await stage.link();
    const { templateId } = await stage.plan();
    expect(byDefault()).toEqual([former]);
    let sawNone = false;
    const before = stage.world.outcomeOf;
    stage.world.outcomeOf = (...asked) => {
      sawNone ||= byDefault().length === 0;
      return before(...asked);
    };
    await press();
    await runFor(10 * MINUTE_MS);
    expect(byDefault()).toEqual([templateId]);
    expect(sawNone).toBe(false);
    expect(stage.writes()).toEqual(["create", "update", "update"]);
  });

  test("is given up although its location is planned to move again at once", async () => {
    stage = await createMovingStage({ defaultLocationId: "gid://shopify/Location/1" });
    const { templateId } = await stage.plan();
    await press();
    await runFor(5_000);
    expect(await stage.move()).toMatchObject({ state: "passed", formerDefault: true });
    await stage.plan({ place: { ...COMING, street1: "Calle Hidalgo" } });
    await runFor(10 * MINUTE_MS);
    expect(byDefault()).toEqual([templateId]);
  });

  test("what somebody else made default keeps it", async () => {
    const { templateId: former } = await stage.link();
    const template = stage.world.account.templates.get(former)!;
    (template as { default: boolean }).default = true;
    await stage.plan();
    await press();
    await runFor(HOUR_MS);
    expect(byDefault()).toEqual([former]);
  });

  test("nothing gives it up while the new template does not show it", async () => {
    stage = await createMovingStage({ defaultLocationId: "gid://shopify/Location/1" });
    const { templateId: former } = await stage.link();
    await stage.plan();
    stage.world.outcomeOf = (operation) => (operation === "update" ? REQUEST_LOST : PROMPT);
    await press();
    await runFor(3 * HOUR_MS);
    expect(byDefault()).toEqual([former]);
    expect(await stage.move()).toMatchObject({ formerDefault: true });
  });
});

test("the address book says which template is coming, and which one a location had before where its owner keeps it", async () => {
  for (const keepFormer of [true, false]) {
    stage = await createMovingStage();
    const { world } = stage;
    const former = (await stage.link()).templateId;
    const { templateId: coming } = await stage.plan({ keepFormer });
    const said = async (id: string) => {
      const query = { tab: "all", search: "", page: 1 } as const;
      const { rows } = (await readAddressBook(world.services, { shop: SHOP, query }))!;
      return rows.find(({ templateId }) => templateId === id)?.ownership;
    };
    expect([await said(former), await said(coming!)]).toEqual(["linked", "coming"]);
    await press(true);
    await runFor(HOUR_MS);
    const then = keepFormer ? "former" : "orphan";
    expect([await said(former), await said(coming!)]).toEqual([then, "linked"]);
    // Of a second move, planned and called off, the first one's former address does not become nobody's.
    await stage.plan({ keepFormer: false });
    expect(await said(former)).toBe(then);
    await world.clock.runWhile(cancelMove(world.services, stage.own));
    await runFor(HOUR_MS);
    expect(await said(former)).toBe(then);
  }
});
