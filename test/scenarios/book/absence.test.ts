import { beforeEach, describe, expect, test } from "vitest";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import { noteAbsent } from "../../../app/book/believe-absence.ts";
import { keepTemplate } from "../../../app/book/keep-template.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { refreshOrigin, refreshTemplate } from "../../../app/origins/refresh-origin.ts";
import { makeAgain } from "../../../app/origins/make-again.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { refOf } from "../../../app/runs/circuit-breaker.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, Operation } from "../../fakes/shipping/network.ts";
import { REPLY_LOST, REQUEST_LOST } from "../../fakes/shipping/outcomes.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * What a service does not find for a moment is not gone; what is gone is believed to be after two looks, a minute apart.
 *
 * Long, because every way in which a template may look gone is tried against the same two rules.
 */

let world: World;
let key: string;
let templateId: string;

async function run(waitMs?: number) {
  const requested = await world.requestWork("location", key);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested, ...(waitMs && { waitMs }) }));
}

const NOT_FOUND: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 404, body: '{"message":"No encontrado"}', afterMs: 20 },
};

const NO_ANSWER: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "server_error", afterMs: 20 },
};

/** These operations do not find the template, until it is said otherwise. */
function loses(...operations: Operation[]): void {
  world.outcomeOf = (asked, request) =>
    operations.includes(asked) && request.templateId === templateId ? NOT_FOUND : PROMPT;
}

const finds = () => {
  world.outcomeOf = () => PROMPT;
};

const verdict = () => world.store.verifications.find({ shop: SHOP, templateId, carrier: "fedex" });
const row = () => world.store.templates.find({ shop: SHOP, templateId });
const link = async () => (await world.store.links.find({ shop: SHOP, locationId: key }))!;
const reason = async () => (await world.workItem("location", key)).reason?.code;
const move = (number: string) => world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));

/** A location whose template fedex has accepted. */
beforeEach(async () => {
  world = await createWorld({ policies: { verifyAfterChange: true, carriers: ["fedex"] } });
  key = await world.addLocation(1);
  const worker = world.start();
  await world.runFor(20_000);
  templateId = world.templateOf(key)!.id;
  world.account.setVerdict(templateId, "fedex", "approved");
  await world.runFor(3_600_000);
  expect((await verdict())?.outcome).toBe("accepted");
  await world.clock.runWhile(worker.stop());
  world.calls.length = 0;
});

describe("one 404 of a template's own GET", () => {
  beforeEach(async () => {
    loses("get");
    move("777");
    expect((await run()).kind).toBe("under_way");
  });

  test("changes nothing: its row, its verdicts and its link stay, nothing is written, and that it waits is told", async () => {
    expect(world.calls).toEqual(["get"]);
    expect((await row())!.absentSinceMs).not.toBeNull();
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    expect(await link()).toMatchObject({ templateId, missingSinceMs: null });
    expect(await world.workItem("location", key)).toMatchObject({
      state: "active",
      reason: { code: "absence_unconfirmed" },
    });
  });

  test("is forgotten once it is found again, and the change goes", async () => {
    finds();
    await world.clock.runFor(60_000);
    expect(await run()).toEqual({ kind: "done" });
    expect(world.templateOf(key)!.address.street_number).toBe("777");
    expect(await row()).toMatchObject({ absentSinceMs: null });
    loses("get");
    move("778");
    await run();
    expect(await reason()).toBe("absence_unconfirmed");
    expect(await link()).toMatchObject({ missingSinceMs: null });
  });

  test("is looked at again within five minutes while the list cannot be read, and the change goes once it is found", async () => {
    world.outcomeOf = (asked, { templateId: id }) =>
      asked === "list" ? NO_ANSWER : asked === "get" && id === templateId ? NOT_FOUND : PROMPT;
    const worker = world.start();
    await world.requestWork("reconcile", "shop");
    await world.runFor(10 * 60_000);
    expect(await reason()).toBe("book_unreadable");
    world.calls.length = 0;
    await world.runFor(3_600_000);
    const looks = world.calls.filter((operation) => operation === "get").length;
    expect(looks).toBeGreaterThanOrEqual(10);
    expect(looks).toBeLessThanOrEqual(12);
    world.outcomeOf = (asked) => (asked === "list" ? NO_ANSWER : PROMPT);
    await world.runFor(6 * 60_000);
    expect(world.templateOf(key)!.address.street_number).toBe("777");
    await world.clock.runWhile(worker.stop());
  });

  test("is not believed because somebody asks again within the minute, however often", async () => {
    for (let count = 0; count < 5; count += 1) {
      await world.clock.runFor(10_000);
      await run();
    }
    expect(await reason()).toBe("absence_unconfirmed");
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    world.account.hide(templateId, true);
    await world.clock.runFor(10_000);
    expect((await run()).kind).toBe("under_way");
    await world.clock.runFor(60_000);
    expect(await run()).toMatchObject({ kind: "blocked", reason: { code: "missing_there" } });
  });

  test("is not believed sooner by a process that begins on a wall clock an hour ahead", async () => {
    world.machine.jump(3_600_000);
    const { worker } = world.boot();
    await world.runFor(50_000);
    expect(await link()).toMatchObject({ missingSinceMs: null });
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    world.account.hide(templateId, true);
    await world.runFor(120_000);
    expect((await link()).missingSinceMs).not.toBeNull();
    await world.clock.runWhile(worker.stop());
  });
});

describe("a second one, a minute later, and a minute of listings without it", () => {
  let before: AddressTemplate;
  beforeEach(async () => {
    before = world.templateOf(key)!;
    world.account.byPerson.remove(templateId);
    move("777");
    await run();
    await world.clock.runFor(60_000);
    expect((await run()).kind).toBe("under_way");
    await world.clock.runFor(60_000);
    expect(await run()).toMatchObject({ kind: "blocked", reason: { code: "missing_there" } });
  });

  test("is believed: what was known of it goes, and its owner is asked", async () => {
    expect(await row()).toBeNull();
    expect(await verdict()).toBeNull();
    expect(await world.store.activity.count({ shop: SHOP, kind: "template_missing" })).toBe(1);
  });

  test("made again, its carriers are asked again", async () => {
    const worker = world.start();
    await world.clock.runWhile(makeAgain(world.services, { shop: SHOP, locationId: key }));
    await world.runFor(20_000);
    const made = world.templateOf(key)!.id;
    expect(made).not.toBe(templateId);
    expect(await world.store.verifications.find({ templateId: made, carrier: "fedex" })).toMatchObject({
      outcome: "pending",
    });
    await world.clock.runWhile(worker.stop());
  });

  test("should it be back after all, its carriers are asked again", async () => {
    // As Shopify has it, so that nothing is to be sent.
    move("101");
    const { alias_name, address_type, address } = before;
    world.account.create({ alias_name, address_type, address_attributes: address }, templateId);
    const worker = world.start();
    await world.requestWork("reconcile", "shop");
    await world.runFor(60_000);
    expect(await link()).toMatchObject({ templateId, missingSinceMs: null });
    expect(await verdict()).toMatchObject({ outcome: "pending" });
    await world.clock.runWhile(worker.stop());
  });
});

test("a 404 to a PATCH is no sighting: the write is taken back, and fails by itself for as long as the GET shows the template", async () => {
  loses("update");
  move("777");
  await run();
  expect(world.calls).toEqual(["get", "update"]);
  expect(await world.workItem("location", key)).toMatchObject({
    failures: 1,
    reason: { code: "unexpected_status", message: "No encontrado" },
  });
  expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
  expect(await verdict()).toMatchObject({ outcome: "accepted" });
  // However often: only its own GET is asked a second time.
  for (let count = 0; count < 3; count += 1) {
    await world.clock.runFor(70_000);
    await run();
  }
  expect(await link()).toMatchObject({ missingSinceMs: null });
  loses("get", "update");
  await world.clock.runFor(60_000);
  await run();
  expect(await reason()).toBe("absence_unconfirmed");
  expect(await verdict()).toMatchObject({ outcome: "accepted" });
  finds();
  await world.clock.runFor(60_000);
  expect(await run()).toEqual({ kind: "done" });
  expect(world.templateOf(key)!.address.street_number).toBe("777");
});

const LACKING: CallOutcome = {
  ...PROMPT,
  answer: {
    kind: "said",
    status: 200,
    body: JSON.stringify({
      data: [],
      meta: { total_count: 0, per_page: 20, current_page: 1, total_pages: 1, next_page: null, prev_page: null },
    }),
    afterMs: 20,
  },
};

describe("a template that a list lacks", () => {
  const listLacks = () => {
    world.outcomeOf = (asked) => (asked === "list" ? LACKING : PROMPT);
  };
  const readBook = () => world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));

  test("and that stands for a location is asked for by itself; its verdicts stay, however long lists lack it", async () => {
    const worker = world.start();
    await world.runFor(5_000);
    world.calls.length = 0;
    listLacks();
    for (let count = 0; count < 4; count += 1) {
      await readBook();
      await world.runFor(40_000);
    }
    expect(world.calls.slice(0, 4)).toEqual(["list", "get", "list", "get"]);
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    expect(await link()).toMatchObject({ templateId, missingSinceMs: null });
    await world.clock.runWhile(worker.stop());
  });

  test("and that stands for a location stays, with its verdicts, where its own GET says nothing meanwhile", async () => {
    listLacks();
    for (let count = 0; count < 3; count += 1) {
      await readBook();
      await world.clock.runFor(40_000);
    }
    expect(await row()).not.toBeNull();
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
  });

  test("and that nobody's location has keeps its row, marked, until lists have lacked it for a minute", async () => {
    await world.store.links.delete({ shop: SHOP });
    await world.store.details.update({ locationId: key }, { inclusion: "never" });
    listLacks();
    await readBook();
    expect(await row()).toMatchObject({ absentSinceMs: null });
    expect((await row())!.unlistedSinceMs).not.toBeNull();
    await world.clock.runFor(10_000);
    await readBook();
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    finds();
    await world.clock.runFor(30_000);
    await readBook();
    expect(await row()).toMatchObject({ unlistedSinceMs: null });
    listLacks();
    for (let count = 0; count < 2; count += 1) {
      await world.clock.runFor(31_000);
      await readBook();
    }
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    world.account.hide(templateId, true);
    await world.clock.runFor(31_000);
    await readBook();
    expect(await row()).toBeNull();
    expect(await verdict()).toBeNull();
  });

  test("but that its own GET shows in between is not believed gone by the lists before that", async () => {
    await world.store.links.delete({ shop: SHOP });
    await world.store.details.update({ locationId: key }, { inclusion: "never" });
    listLacks();
    await readBook();
    await world.clock.runFor(31_000);
    await world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId, force: true }));
    for (let count = 0; count < 2; count += 1) {
      await readBook();
      await world.clock.runFor(31_000);
    }
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
  });

  test.each(["a list", "its own GET"])(
    "but that %s shows another process in between is not believed gone by the lists before that",
    async (what) => {
      await world.store.links.delete({ shop: SHOP });
      await world.store.details.update({ locationId: key }, { inclusion: "never" });
      const another = world.boot({ alone: false });
      await world.clock.runWhile(another.worker.stop());
      const read = ({ services }: Pick<World, "services"> = world) =>
        world.clock.runWhile(refreshAddressBook(services, { shop: SHOP, force: true }));
      listLacks();
      await read();
      await world.clock.runFor(31_000);
      if (what === "a list") {
        finds();
        await read(another);
      } else await world.clock.runWhile(refreshTemplate(another.services, { shop: SHOP, templateId, force: true }));
      expect(await row()).toMatchObject({ unlistedSinceMs: null });
      listLacks();
      // Long enough after the GET that a list is believed again.
      for (const process of [another, world]) {
        await world.clock.runFor(16_000);
        await read(process);
      }
      await world.clock.runFor(16_000);
      await read();
      expect(await row()).not.toBeNull();
      expect(await verdict()).toMatchObject({ outcome: "accepted" });
      world.account.hide(templateId, true);
      await world.clock.runFor(61_000);
      await read();
      expect(await row()).toBeNull();
      await world.clock.runFor(30_000);
    },
  );

  test("but that its own GET shows is not believed gone because a list lacks it right after that, which is too soon to count", async () => {
    await world.store.links.delete({ shop: SHOP });
    await world.store.details.update({ locationId: key }, { inclusion: "never" });
    listLacks();
    await readBook();
    await world.clock.runFor(40_000);
    await readBook();
    await world.clock.runFor(5_000);
    await world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId, force: true }));
    await world.clock.runFor(5_000);
    await readBook();
    await world.clock.runFor(31_000);
    await readBook();
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    world.account.hide(templateId, true);
    await world.clock.runFor(61_000);
    await readBook();
    expect(await row()).toBeNull();
  });

  test("is not forgotten where its own GET shows it, however long lists lack it, and the book counts as unreadable", async () => {
    await world.store.links.delete({ shop: SHOP });
    await world.store.details.update({ locationId: key }, { inclusion: "never" });
    listLacks();
    for (let count = 0; count < 3; count += 1) {
      await readBook();
      await world.clock.runFor(40_000);
    }
    expect(await readBook()).toBe("unreachable");
    expect(await row()).not.toBeNull();
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
  });

  test("is not forgotten, nor is the book unreadable, where its own GET fails", async () => {
    await world.store.links.delete({ shop: SHOP });
    await world.store.details.update({ locationId: key }, { inclusion: "never" });
    listLacks();
    const lists = world.outcomeOf;
    world.outcomeOf = (operation, request) => (operation === "get" ? NO_ANSWER : lists(operation, request));
    for (let count = 0; count < 4; count += 1) {
      expect(await readBook()).toBe("fresh");
      await world.clock.runFor(40_000);
    }
    expect(await row()).not.toBeNull();
  });

  test("for less than a minute is not doubled by its location, which left by rule and comes back meanwhile", async () => {
    const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
    await world.store.shops.update({ shop: SHOP }, { policies: { ...policies, onDeactivate: "unlink" } });
    world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
    await run();
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
    world.account.hide(templateId, true);
    await readBook();
    await world.clock.runFor(31_000);
    await readBook();
    world.shopify.put(SHOP, shopifyLocation(1));
    const worker = world.start();
    await world.requestWork("location", key);
    await world.runFor(15_000);
    world.account.hide(templateId, false);
    await world.runFor(120_000);
    expect([...world.account.templates.keys()]).toEqual([templateId]);
    expect(await link()).toMatchObject({ templateId, how: "adopted" });
    await world.clock.runWhile(worker.stop());
  });

  test("is looked for in more lists by the reconcile itself, within a minute or so", async () => {
    await world.store.links.delete({ shop: SHOP });
    await world.store.details.update({ locationId: key }, { inclusion: "never" });
    world.account.byPerson.remove(templateId);
    const worker = world.start();
    await world.runFor(5_000);
    expect(await row()).not.toBeNull();
    await world.runFor(70_000);
    expect(await row()).toBeNull();
    const lists = () => world.calls.filter((call) => call === "list").length;
    const read = lists();
    await world.runFor(3_600_000);
    expect(lists()).toBe(read);
    await world.clock.runWhile(worker.stop());
  });
});

describe("what another reading shows just after it was believed gone stays, with its verdicts", () => {
  /** Right after the transaction that notes the second 404, and so believes it. */
  function isShownOnceBelieved(): void {
    const template = world.templateOf(key)!;
    const { store } = world.services;
    const transaction = store.transaction.bind(store);
    const ref = { id: "connection-1", version: 1, shop: SHOP, environment: "test", clientId: "client-1" } as const;
    let shown = false;
    store.transaction = async (shop, work) => {
      let noted = false;
      const result = await transaction(shop, async (tables) => {
        const update: typeof tables.templates.update = (where, values) => {
          noted ||= "absentSinceMs" in values && values.absentSinceMs !== null && !shown;
          return tables.templates.update(where, values);
        };
        return work({ ...tables, templates: { ...tables.templates, update } });
      });
      if (!noted) return result;
      shown = true;
      finds();
      await transaction(SHOP, (tables) => keepTemplate(world.services, tables, { ref, template }));
      return result;
    };
  }

  test("in a location's run", async () => {
    loses("get");
    move("777");
    await run();
    isShownOnceBelieved();
    const worker = world.start();
    await world.runFor(70_000);
    expect(await row()).toMatchObject({ absentSinceMs: null });
    expect(await verdict()).not.toBeNull();
    expect(await link()).toMatchObject({ templateId, missingSinceMs: null });
    expect(world.templateOf(key)!.address.street_number).toBe("777");
    await world.clock.runWhile(worker.stop());
  });

  test("in a verification's run", async () => {
    await world.store.links.delete({ shop: SHOP });
    loses("get");
    const worker = world.start();
    await world.runFor(1_000);
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["dhl"] });
    world.services.wake();
    await world.runFor(20_000);
    isShownOnceBelieved();
    await world.runFor(70_000);
    expect(await row()).toMatchObject({ absentSinceMs: null });
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    expect(await world.store.verifications.find({ templateId, carrier: "dhl" })).toMatchObject({ outcome: "pending" });
    await world.clock.runWhile(worker.stop());
  });
});

describe("what somebody looks at on a page", () => {
  test("of an origin, found by nobody once, keeps its verdicts; the origin's own run asks again", async () => {
    const worker = world.start();
    await world.runFor(1_000);
    loses("get");
    await world.clock.runWhile(refreshOrigin(world.services, { shop: SHOP, locationId: key, force: true }));
    await world.runFor(5_000);
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    expect(await reason()).toBe("absence_unconfirmed");
    finds();
    await world.runFor(70_000);
    expect(await world.workItem("location", key)).toMatchObject({ reason: null });
    expect(await row()).toMatchObject({ absentSinceMs: null });
    await world.clock.runWhile(worker.stop());
  });

  test("of a template that we made a moment ago is no sighting, and it is asked for again after that moment", async () => {
    world = await createWorld({ policies: { carriers: [] } });
    const locationId = await world.addLocation(2);
    const worker = world.start();
    await world.requestWork("location", locationId);
    world.services.wake();
    await world.runFor(40_000);
    const made = world.templateOf(locationId)!.id;
    world.account.byPerson.remove(made);
    await world.clock.runWhile(refreshOrigin(world.services, { shop: SHOP, locationId, force: true }));
    await world.runFor(10_000);
    const linked = () => world.store.links.find({ shop: SHOP, locationId });
    expect(await linked()).toMatchObject({ templateId: made, missingSinceMs: null });
    await world.runFor(4 * 60_000);
    expect((await linked())!.missingSinceMs).not.toBeNull();
    await world.clock.runWhile(worker.stop());
  });

  test("of a template that is no location's has the lists asked after two looks, a minute apart, and goes when they lack it", async () => {
    await world.store.links.delete({ shop: SHOP });
    world.account.hide(templateId, true);
    const look = () => world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId, force: true }));
    await look();
    await world.clock.runFor(50_000);
    await look();
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    await world.clock.runFor(10_000);
    await look();
    const worker = world.start();
    await world.runFor(120_000);
    expect(await row()).toBeNull();
    await world.clock.runWhile(worker.stop());
  });
});

describe("a verification", () => {
  test.each([
    ["GET", "get", "absence_unconfirmed"],
    ["request", "verify", "unexpected_status"],
  ] as const)("whose %s is not found once stays, and is asked when it is found", async (_name, operation, code) => {
    const worker = world.start();
    await world.runFor(1_000);
    loses(operation);
    const carriers = ["dhl"];
    await requestVerification(world.services, { shop: SHOP, templateId, carriers });
    world.services.wake();
    await world.runFor(20_000);
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    expect(await world.workItem("verification", `connection-1:${templateId}`)).toMatchObject({ reason: { code } });
    finds();
    await world.runFor(60_000);
    expect(await world.store.verifications.find({ templateId, carrier: "dhl" })).toMatchObject({ outcome: "pending" });
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    await world.clock.runWhile(worker.stop());
  });
});

test("verdicts that a list was to bring stay where it lacks the templates: the own GET of one is asked", async () => {
  for (const number of [2, 3, 4]) await world.addLocation(number);
  const worker = world.start();
  await world.runFor(60_000);
  // Nobody else asks for them.
  await world.store.links.delete({ shop: SHOP });
  await world.store.details.update({ shop: SHOP }, { inclusion: "never" });
  const pending = { shop: SHOP, outcome: "pending" } as const;
  expect(await world.store.verifications.count(pending)).toBe(3);
  world.calls.length = 0;
  let met = false;
  world.outcomeOf = (asked) => (asked === "list" && !met ? ((met = true), LACKING) : PROMPT);
  await world.runFor(3_600_000);
  expect(world.calls.slice(0, 2)).toEqual(["list", "get"]);
  expect(await world.store.verifications.count(pending)).toBe(3);
  await world.clock.runWhile(worker.stop());
});

describe("a write whose end is unclear", () => {
  test("and whose template is not found for a moment is cleared up when it is found; our words are not taken for somebody's", async () => {
    const worker = world.start();
    await world.runFor(1_000);
    let met = false;
    world.outcomeOf = (asked) => (asked === "update" && !met ? ((met = true), REPLY_LOST) : PROMPT);
    move("777");
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(90_000);
    move("778");
    loses("get");
    await world.runFor(30_000);
    expect(await reason()).toBe("absence_unconfirmed");
    expect(await world.store.pendingWrites.count({ shop: SHOP, operation: "update" })).toBe(1);
    finds();
    await world.requestWork("location", key);
    await world.runFor(90_000);
    expect(world.templateOf(key)!.address.street_number).toBe("778");
    expect(await link()).toMatchObject({ differences: [], missingSinceMs: null });
    await world.clock.runWhile(worker.stop());
  });

  test("of a DELETE is not taken for done because one GET does not find the template", async () => {
    const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
    await world.store.shops.update({ shop: SHOP }, { policies: { ...policies, onDeactivate: "delete" } });
    world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
    const worker = world.start();
    await world.runFor(1_000);
    let met = false;
    world.outcomeOf = (asked) => (asked === "delete" && !met ? ((met = true), REQUEST_LOST) : PROMPT);
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(90_000);
    loses("get");
    await world.runFor(30_000);
    expect(await world.store.links.count({ shop: SHOP })).toBe(1);
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    finds();
    await world.runFor(90_000);
    expect(world.account.templates.size).toBe(0);
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
    await world.clock.runWhile(worker.stop());
  });
});

describe("of two processes on one database", () => {
  const place = () => ({ shop: SHOP, connectionId: "connection-1", templateId });
  /** Another process: what a process remembers, it remembers by its clock. */
  const beside = () => ({
    ...world.services,
    clock: Object.create(world.services.clock) as World["services"]["clock"],
  });
  const sees = (services: World["services"], { askedAtMs = services.clock.monotonicMs() } = {}) =>
    noteAbsent(services, world.store, { ...place(), askedAtMs });
  const shows = async (services: World["services"]) => {
    const template = (await row())!.template;
    const ref = refOf((await world.store.connections.find({ id: "connection-1" }))!);
    await world.store.transaction(SHOP, (tables) => keepTemplate(services, tables, { ref, template }));
  };

  test("what one has seen missing counts for nothing once the other was shown it", async () => {
    const services = beside();
    await sees(world.services);
    await world.clock.runFor(30_000);
    await shows(services);
    await world.clock.runFor(31_000);
    expect(await sees(world.services)).toMatchObject({ believed: false });
    await world.clock.runFor(60_000);
    expect(await sees(world.services)).toMatchObject({ believed: true });
  });

  test.each(["its own GET", "a list"])(
    "what %s has shown counts anew, though the row that said so is gone by then",
    async (how) => {
      const known = (await row())!;
      if (how === "a list") await world.store.templates.delete({ shop: SHOP, templateId });
      await sees(world.services);
      await world.clock.runFor(30_000);
      if (how === "a list") await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
      else await shows(world.services);
      expect((await row())?.template.id).toBe(known.templateId);
      await world.store.templates.delete({ shop: SHOP, templateId });
      await world.clock.runFor(31_000);
      expect(await sees(world.services)).toMatchObject({ believed: false });
    },
  );

  test("an answer that a process was stopped with for a minute is as old as its question", async () => {
    await sees(world.services);
    await world.clock.runFor(1_000);
    const askedAtMs = world.services.clock.monotonicMs();
    await world.clock.runFor(60_000);
    expect(await sees(world.services, { askedAtMs })).toMatchObject({ believed: false });
    expect(await sees(world.services)).toMatchObject({ believed: true });
  });

  test("each believes it a minute after it has seen it missing itself, and the first sighting is dated once", async () => {
    const services = beside();
    // Until a GET has shown what we made, a 404 may be behind its making.
    await shows(world.services);
    await sees(world.services);
    const since = (await row())!.absentSinceMs;
    await world.clock.runFor(61_000);
    expect(await sees(services)).toMatchObject({ believed: false });
    expect((await row())!.absentSinceMs).toBe(since);
    expect(await sees(world.services)).toMatchObject({ believed: true });
    await world.clock.runFor(60_000);
    expect(await sees(services)).toMatchObject({ believed: true });
  });
});
