import { beforeEach, describe, expect, test } from "vitest";
import { readHome } from "../../../app/pages/read-home.ts";
import { readOrderOrigins } from "../../../app/pages/read-order-origins.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { verifyOrigin } from "../../../app/origins/verify-origin.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";
import { CARRIER_ANSWERS } from "../../../app/domain/verification/carrier-standing.ts";
import { SHOP } from "../../fakes/records.ts";
import { showsWrongDate } from "../../fakes/shipping/wrong-date.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World, WorldOptions } from "../../fakes/world.ts";

/**
 * Asking carriers again, whose answer may be the same word under the same id.
 *
 * Long, because every case begins with an answer that one stage asked for.
 */

const ALL = ALL_ORIGINS;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
let key: string;
let templateId: string;

/** A location whose template is there; asked and followed by the worker. */
async function mapped(options: WorldOptions = {}) {
  world = await createWorld({ environment: "production", policies: { carriers: ["fedex"] }, ...options });
  key = await world.addLocation(1);
  world.start();
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(60_000);
  templateId = (await world.store.links.find({ shop: SHOP }))!.templateId;
}

const record = async () =>
  (await world.store.verifications.find({ connectionId: "connection-1", templateId, carrier: "fedex" }))!;

async function ask(runMs = 60_000) {
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(runMs);
}

async function answered(status: string) {
  await ask(3_000);
  world.account.setVerdict(templateId, "fedex", status);
  await world.runFor(HOUR_MS);
}

async function move(number: string) {
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(60_000);
}

/** What every place says of the origin: they have to agree. */
async function told() {
  const origin = (await readOrigin(world.services, { shop: SHOP, locationId: key }))!;
  const list = (await readOrigins(world.services, { shop: SHOP, query: ALL }))!;
  const home = (await readHome(world.services, { shop: SHOP }))!;
  const order = (await readOrderOrigins(world.services, { shop: SHOP, locationIds: [key] })).origins[0]!;
  const [row] = list.rows;
  expect([row!.state, order.state]).toEqual([origin.state, origin.state]);
  expect(home.origins.ready).toBe(origin.state === "ready" ? 1 : 0);
  const standing = ({
    outcome,
    stale,
    question,
  }: Pick<(typeof origin.standings)[0], "outcome" | "stale" | "question">) => ({ outcome, stale, question });
  expect(standing(row!.standings[0]!)).toEqual(standing(origin.standings[0]!));
  expect(standing(order.carriers[0]!)).toEqual(standing(origin.standings[0]!));
  const carrier = origin.readiness.find((item) => item.code === "carrier")!;
  return {
    state: origin.state,
    ...standing(origin.standings[0]!),
    met: carrier.met,
    follows: "follows" in carrier,
    askedAtMs: origin.standings[0]!.askedAtMs,
    need: home.needs[0]?.need ?? null,
    heap: CARRIER_ANSWERS.find((heap) => home.carriers[0]![heap] === 1),
  };
}

describe("asked again for the same address by one who says the same again", () => {
  beforeEach(() => mapped({ habits: { repeatsItself: true } }));

  test.each([
    ["approved", "accepted", { state: "ready", met: true, need: null, heap: "accepted" }],
    ["rejected", "refused", { state: "refused_by_carrier", met: false, need: "refused_by_carrier", heap: "refused" }],
  ])("%s stands, with a note for seven days, and ends as it was", async (word, outcome, says) => {
    await answered(word);
    expect(await told()).toMatchObject({ outcome, ...says, question: null });
    await world.runFor(DAY_MS);
    const askedAtMs = world.clock.nowMs();
    await ask();
    expect(await told()).toMatchObject({ outcome, ...says, stale: false, question: "asked", follows: false });
    expect((await told()).askedAtMs).toBeGreaterThanOrEqual(askedAtMs);
    await world.runFor(6.9 * DAY_MS);
    expect(await told()).toMatchObject({ outcome, ...says, question: "asked" });
    await world.runFor(0.5 * DAY_MS);
    expect(await told()).toMatchObject({ outcome, ...says, question: null });
    const kinds = (await world.store.activity.list({ shop: SHOP })).map(({ kind }) => kind);
    expect(kinds).not.toContain("verification_no_answer");
    expect(kinds.filter((kind) => kind === `verification_${outcome}`)).toHaveLength(1);
  });

  test("another word is the answer, however late", async () => {
    await answered("approved");
    await world.runFor(DAY_MS);
    await ask();
    await world.runFor(3 * DAY_MS);
    world.account.setVerdict(templateId, "fedex", "rejected");
    await world.runFor(5 * HOUR_MS);
    expect(await told()).toMatchObject({ outcome: "refused", question: null, state: "refused_by_carrier" });
  });

  test("asked while it is asked is one question, and an hour later another one", async () => {
    await answered("approved");
    await world.runFor(DAY_MS);
    world.calls.length = 0;
    await ask();
    await ask();
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
    await world.runFor(HOUR_MS);
    await ask();
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(2);
    expect(await told()).toMatchObject({ outcome: "accepted", question: "asked", state: "ready" });
  });
});

describe("asked for another address by one who says the same again", () => {
  beforeEach(async () => {
    await mapped({ habits: { repeatsItself: true }, policies: { carriers: ["fedex"], verifyAfterChange: true } });
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(HOUR_MS);
    expect(await told()).toMatchObject({ outcome: "accepted", stale: false, state: "ready" });
    await move("888");
  });

  test("the old verdict is stale, and after two business days there is no new answer, with need of the owner", async () => {
    expect(await told()).toMatchObject({
      ...{ outcome: "accepted", stale: true, question: "asked" },
      ...{ state: "verifying", met: false, follows: true, need: null, heap: "waiting" },
    });
    await world.runFor(4 * DAY_MS);
    expect(await told()).toMatchObject({
      ...{ outcome: "no_answer", stale: false, question: "asked" },
      ...{ state: "unverified", met: false, follows: false, need: "unverified", heap: "no_answer" },
    });
    const lines = await world.store.activity.list({ shop: SHOP, kind: "verification_no_answer" });
    expect(lines).toHaveLength(1);
    await world.runFor(4 * DAY_MS);
    expect(await told()).toMatchObject({ outcome: "no_answer", question: null, state: "unverified" });
    expect(await world.store.activity.count({ shop: SHOP, kind: "verification_no_answer" })).toBe(1);
  });

  test("that is so although the service shows a wrong date for good", async () => {
    showsWrongDate(world, -2 * HOUR_MS);
    await world.runFor(4 * DAY_MS);
    expect(await told()).toMatchObject({ outcome: "no_answer", question: "asked", need: "unverified" });
    await world.runFor(4 * DAY_MS);
    expect(await told()).toMatchObject({ outcome: "no_answer", question: null, need: "unverified" });
  });

  test("asked once more after that waits once more", async () => {
    await world.runFor(4 * DAY_MS);
    await ask();
    expect(await told()).toMatchObject({ outcome: "pending", stale: false, question: "asked", need: null });
  });

  test("back at the first address the verdict stands, and the question is about it", async () => {
    await move("101");
    expect(await told()).toMatchObject({ outcome: "accepted", stale: false, question: "asked", state: "ready" });
    await world.runFor(8 * DAY_MS);
    expect(await told()).toMatchObject({ outcome: "accepted", stale: false, question: null, state: "ready" });
  });
});

describe("asked for another address by one who begins anew", () => {
  test("is waiting for the answer until it comes", async () => {
    await mapped({ policies: { carriers: ["fedex"], verifyAfterChange: true } });
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(HOUR_MS);
    await move("888");
    expect(await told()).toMatchObject({ outcome: "pending", stale: false, question: "asked", heap: "waiting" });
    await world.runFor(5 * DAY_MS);
    expect(await told()).toMatchObject({ outcome: "pending", question: "asked" });
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(5 * HOUR_MS);
    expect(await told()).toMatchObject({ outcome: "accepted", stale: false, question: null, state: "ready" });
  });
});

describe("asked about an address that changes before the answer, where a change asks nobody", () => {
  const nobodyAsks = { question: null, state: "unverified", met: false, follows: false, need: "unverified" };

  beforeEach(() => mapped({ policies: { carriers: ["fedex"], verifyAfterChange: false } }));

  test("no answer is awaited about the new one, and its owner is told", async () => {
    await ask();
    expect(await told()).toMatchObject({ outcome: "pending", stale: false, question: "asked", state: "verifying" });
    await move("888");
    expect(await told()).toMatchObject({ outcome: "pending", stale: true, heap: "not_asked", ...nobodyAsks });
    await world.runFor(DAY_MS);
    expect(await told()).toMatchObject(nobodyAsks);
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(5 * HOUR_MS);
    expect(await told()).toMatchObject({ outcome: "accepted", stale: true, ...nobodyAsks });
  });

  test("nor where the carrier had answered before, and was asked again", async () => {
    await answered("approved");
    await world.runFor(DAY_MS);
    await ask();
    await move("888");
    expect(await told()).toMatchObject({ outcome: "accepted", stale: true, ...nobodyAsks });
  });

  test("back at the first address it is awaited as before, and asked about the new one it is awaited there", async () => {
    await ask();
    await move("888");
    await move("101");
    expect(await told()).toMatchObject({ outcome: "pending", stale: false, question: "asked", state: "verifying" });
    await move("888");
    await ask();
    expect(await told()).toMatchObject({ outcome: "pending", stale: false, question: "asked", state: "verifying" });
  });
});

describe("asked for the first time where the account says something already", () => {
  beforeEach(async () => {
    await mapped({ habits: { repeatsItself: true } });
    world.account.verify(templateId, ["fedex"]);
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(60_000);
    expect(await told()).toMatchObject({ outcome: "seen", question: null, state: "unverified", need: "unverified" });
  });

  test("what was seen is no verdict, and no new answer either after two business days", async () => {
    await ask();
    expect(await told()).toMatchObject({ outcome: "seen", stale: false, question: "asked", met: false, need: null });
    await world.runFor(4 * DAY_MS);
    expect(await told()).toMatchObject({ outcome: "no_answer", question: "asked", need: "unverified" });
  });

  test("what was seen is of the address as it was then", async () => {
    await move("888");
    expect(await told()).toMatchObject({ outcome: "seen", stale: true });
  });

  test("a change is the answer", async () => {
    await ask();
    world.account.setVerdict(templateId, "fedex", "verified");
    await world.runFor(HOUR_MS);
    expect(await told()).toMatchObject({ outcome: "accepted", question: null, state: "ready" });
  });
});

describe("a question that the service does not take", () => {
  test.each([
    ["today", `{"errors":{"carriers":["no disponible hoy"]}}`, { outcome: "accepted", state: "ready" }],
    ["at all", `{"error":"CARRIER_VERIFICATION_NOT_ENABLED"}`, { outcome: "not_offered", state: "ready" }],
  ])("%s", async (_name, body, says) => {
    const habits = { refuses: [] as string[], refusal: { status: 422, body } };
    await mapped({ habits });
    await answered("approved");
    await world.runFor(DAY_MS);
    habits.refuses.push("fedex");
    await ask();
    expect(await told()).toMatchObject({ ...says, stale: false, question: null });
    expect((await record()).timeline.at(-1)).toMatchObject({
      status: expect.stringMatching(/hoy|NOT_ENABLED/) as string,
    });
  });
});

describe("pressed again soon", () => {
  const questions = () => world.calls.filter((call) => call === "verify").length;
  const press = async () => {
    const asked = { shop: SHOP, locationId: key, carriers: ["fedex"] };
    const answer = verifyOrigin(world.services, asked);
    await world.clock.runWhile(answer);
    return answer;
  };

  test("after an answer without a yes or a no it asks, and further presses are one with it", async () => {
    await mapped();
    await ask(3_000);
    world.account.setVerdict(templateId, "fedex", "under_observation");
    await world.runFor(30_000);
    expect(await told()).toMatchObject({ outcome: "unknown", question: "asked", state: "unverified" });
    expect(await press()).toEqual({ kind: "done", progress: { kind: "done" } });
    expect(await told()).toMatchObject({ outcome: "pending", question: "asked", state: "verifying" });
    await Promise.all([press(), press()]);
    expect(questions()).toBe(2);
  });

  test("after the service did not take the question it asks", async () => {
    const habits = {
      refuses: ["fedex"],
      refusal: { status: 422, body: `{"errors":{"carriers":["no disponible hoy"]}}` },
    };
    await mapped({ habits });
    await ask();
    expect(await told()).toMatchObject({ outcome: "unknown", question: null, state: "unverified" });
    habits.refuses.length = 0;
    expect(await press()).toEqual({ kind: "done", progress: { kind: "done" } });
    expect(await told()).toMatchObject({ outcome: "pending", question: "asked" });
  });

  test("while the carrier is at it, it says from when on it can ask", async () => {
    await mapped();
    await ask();
    const { askedAtMs } = await told();
    expect(await press()).toEqual({ kind: "asked_lately", againAtMs: askedAtMs! + HOUR_MS });
    await world.runFor(HOUR_MS);
    expect(await press()).toEqual({ kind: "done", progress: { kind: "done" } });
    expect(questions()).toBe(2);
  });

  test("after a verdict of a moment ago it says from when on it can ask", async () => {
    await mapped();
    await ask(3_000);
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(20_000);
    const { askedAtMs, outcome } = await told();
    expect(outcome).toBe("accepted");
    expect(await press()).toEqual({ kind: "asked_lately", againAtMs: askedAtMs! + 60_000 });
    expect(questions()).toBe(1);
  });
});

test("a list, which may be behind, brings no answer within a minute of the question", async () => {
  await mapped();
  await answered("rejected");
  await world.runFor(DAY_MS);
  await ask(500);
  expect(await record()).toMatchObject({ outcome: "refused", question: "asked" });
  await world.store.verifications.update({ templateId }, { nextPollAtMs: world.clock.nowMs() + DAY_MS });
  world.account.setVerdict(templateId, "fedex", "approved");
  const book = async () => {
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    return record();
  };
  expect(await book()).toMatchObject({ outcome: "refused", question: "asked" });
  await world.runFor(60_000);
  expect(await book()).toMatchObject({ outcome: "accepted", question: null });
});

test.each([
  ["always the same one", () => "77"],
  ["another one each time", (count: number) => String(count)],
])(
  "a service that answers the question with an address that its GET does not show, %s, is asked once more at most",
  async (_, shown) => {
    await mapped({ policies: { carriers: ["fedex"], verifyAfterChange: true } });
    let asked = 0;
    world.malformed.set(templateId, (template, operation) => {
      if (operation !== "verify") return template;
      asked += 1;
      return { ...template, address: { ...template.address, street_number: shown(asked) } };
    });
    await move("900");
    await world.runFor(HOUR_MS);
    expect(asked).toBeGreaterThanOrEqual(1);
    expect(asked).toBeLessThanOrEqual(2);
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(DAY_MS);
    expect(asked).toBeLessThanOrEqual(2);
    expect(await told()).toMatchObject({ state: "ready", outcome: "accepted", stale: false });
  },
);
