import { expect, test } from "vitest";
import { readHome } from "../../../app/pages/read-home.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { whyInconclusive } from "../../../app/domain/verification/carrier-standing.ts";
import { MOST_SENDINGS } from "../../../app/domain/verification/verification.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World, WorldOptions } from "../../fakes/world.ts";

/** What becomes of a question to a carrier whose answer holds no template, or does not come. */

const HALF_MINUTE_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
let key: string;
let asked: number;

const said = (status: number, body: string): CallOutcome => ({
  arrivesAfterMs: 20,
  effectAfterMs: 0,
  answer: { kind: "said", status, body, afterMs: 20 },
});
const inVain = (outcome: CallOutcome): CallOutcome => ({ ...outcome, effectAfterMs: null });

/** A location whose template's questions all get this outcome. */
async function meets(outcome: () => CallOutcome, options: WorldOptions = {}) {
  world = await createWorld({ policies: { verifyAfterChange: true, carriers: ["fedex"] }, ...options });
  key = await world.addLocation(1);
  asked = 0;
  world.outcomeOf = (operation) => {
    if (operation !== "verify") return PROMPT;
    asked += 1;
    return outcome();
  };
  world.start();
}

const verdict = async () => (await world.store.verifications.find({ shop: SHOP, carrier: "fedex" }))!;
/** What the origin's page says beside the button that asks again. */
const why = async () =>
  whyInconclusive((await readOrigin(world.services, { shop: SHOP, locationId: key }))!.standings[0]!);
const home = async () => (await readHome(world.services, { shop: SHOP }))!;
const says = (status: string) => world.account.setVerdict(world.templateOf(key)!.id, "fedex", status);
const saysLater = () => world.clock.after(HALF_MINUTE_MS, () => says("approved"));

const ANOTHER = JSON.stringify({ data: { id: "another", alias_name: "Otra", address: {} } });
/** An answer that tells nothing, or none, although the carrier was asked. */
const UNTOLD: [string, CallOutcome][] = [
  ["a page", said(200, "<html>welcome</html>")],
  ["502", said(502, "<html>bad gateway</html>")],
  ["a reset", { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "reset", afterMs: 20 } }],
  ["silence", { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "silence" } }],
];

test.each([
  ["202 without a body", said(202, "")],
  ["200 with other words", said(200, '{"message":"accepted"}')],
  ["202 with another template", said(202, ANOTHER)],
  ...UNTOLD,
])("answered by %s for good, it is asked once, and the verdict counts", async (_what, outcome) => {
  await meets(() => {
    saysLater();
    return outcome;
  });
  await world.runFor(DAY_MS);
  expect(asked).toBe(1);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: null });
  const { carriers, origins } = await home();
  expect(carriers[0]).toMatchObject({ accepted: 1, waiting: 0 });
  expect(origins.ready).toBe(1);
  expect(world.calls.filter((call) => call === "get").length).toBeLessThan(20);
});

test("sent in vain for good beside a verdict, it is not noted as asked again: nobody knows whether it was", async () => {
  let isWell = true;
  await meets(() => (isWell ? PROMPT : inVain(said(502, "<html>bad gateway</html>"))));
  await world.runFor(HALF_MINUTE_MS);
  says("approved");
  await world.runFor(HOUR_MS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: null });
  isWell = false;
  const { templateId } = await verdict();
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(12 * HOUR_MS);
  const standing = async () => (await readOrigin(world.services, { shop: SHOP, locationId: key }))!.standings[0]!;
  expect(await standing()).toMatchObject({ outcome: "accepted", stale: false, isUnclear: true });
  // A later question that was asked is told of as any other.
  isWell = true;
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(HALF_MINUTE_MS);
  expect(await standing()).toMatchObject({ outcome: "accepted", question: "asked", isUnclear: false });
});

test("sent in vain for good, it is repeated so often, and then told with the button that asks again", async () => {
  let isWell = false;
  await meets(() => (isWell ? PROMPT : inVain(said(502, "<html>bad gateway</html>"))));
  for (let hour = 0; hour < 24; hour += 1) {
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(HOUR_MS);
  }
  expect(asked).toBe(MOST_SENDINGS);
  expect(await verdict()).toMatchObject({ outcome: "no_answer", question: "asked" });
  expect((await home()).needs).toMatchObject([{ need: "unverified", count: 1 }]);
  expect(await why()).toBe("unclear");
  await world.runFor(9 * DAY_MS);
  expect(await why()).toBe("unclear");
  isWell = true;
  const { id: templateId } = world.templateOf(key)!;
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(10_000);
  expect(asked).toBe(MOST_SENDINGS + 1);
  says("approved");
  await world.runFor(HOUR_MS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: null });
});

test("asked for sure and not answered, a carrier is told to be silent after two business days, and not before", async () => {
  await meets(() => said(202, ""), { habits: { repeatsItself: true } });
  await world.runFor(HOUR_MS);
  says("approved");
  await world.runFor(HOUR_MS);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(HOUR_MS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: "asked" });
  await world.runFor(4 * DAY_MS);
  expect(await verdict()).toMatchObject({ outcome: "no_answer", question: "asked" });
  expect(await why()).toBe("noAnswer");
});

test("refused or held back, it was not sent, and does not count", async () => {
  await meets(() => inVain({ ...PROMPT, answer: { kind: "unauthorized", afterMs: 20 } }));
  await world.runFor(HOUR_MS);
  expect(await verdict()).toMatchObject({ question: "wanted", polls: 0 });
});

test("a carrier asked by one that always says the same again is asked so often, and its verdict stands", async () => {
  let outcome = PROMPT;
  await meets(() => outcome, { habits: { repeatsItself: true } });
  await world.runFor(60_000);
  says("approved");
  await world.runFor(DAY_MS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: null });
  outcome = said(502, "<html>bad gateway</html>");
  asked = 0;
  const { id: templateId } = world.templateOf(key)!;
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(DAY_MS);
  expect(asked).toBe(MOST_SENDINGS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: "asked" });
  await world.runFor(8 * DAY_MS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: null });
});

test("the verdict on an address of before is no answer to a question about another one that was sent in vain", async () => {
  let outcome = PROMPT;
  await meets(() => outcome);
  await world.runFor(60_000);
  expect(await verdict()).toMatchObject({ outcome: "pending", question: "asked" });
  outcome = inVain(said(502, "<html>bad gateway</html>"));
  asked = 0;
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "888" }) }));
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(10_000);
  expect(asked).toBeGreaterThan(0);
  says("approved");
  await world.runFor(60_000);
  expect((await verdict()).outcome).not.toBe("accepted");
  expect((await home()).origins.ready).toBe(0);
  outcome = PROMPT;
  await world.runFor(HOUR_MS);
  says("approved");
  await world.runFor(5 * HOUR_MS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: null });
  expect((await home()).origins.ready).toBe(1);
});

test("asked once more about the same address with no answer, the carrier's verdict is the answer", async () => {
  let outcome = PROMPT;
  await meets(() => outcome);
  await world.runFor(2 * HOUR_MS);
  outcome = inVain(said(502, "<html>bad gateway</html>"));
  asked = 0;
  const { id: templateId } = world.templateOf(key)!;
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(5_000);
  says("approved");
  await world.runFor(HOUR_MS);
  expect(await verdict()).toMatchObject({ outcome: "accepted", question: null });
  expect(asked).toBeLessThan(MOST_SENDINGS);
});

test("answered without a template, about an address that somebody had changed unseen, it counts for no address", async () => {
  let isWell = true;
  await meets(() => (isWell ? PROMPT : said(202, "")));
  await world.runFor(HALF_MINUTE_MS);
  says("approved");
  await world.runFor(HOUR_MS);
  const { templateId } = await verdict();
  const number = (street_number: string) =>
    world.account.byPerson.edit(templateId, "street_number", street_number, world.clock.nowMs());
  // The template is read, and then changed before the carriers are asked.
  await world.store.templates.update({ shop: SHOP, templateId }, { aloneAtMs: world.clock.nowMs() });
  number("555");
  isWell = false;
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(HALF_MINUTE_MS);
  world.account.setVerdict(templateId, "fedex", "rejected");
  await world.runFor(HOUR_MS);
  const standing = async () => (await readOrigin(world.services, { shop: SHOP, locationId: key }))!.standings[0]!;
  expect(await standing()).toMatchObject({ outcome: "refused", stale: true });
  number("101");
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(HOUR_MS);
  expect(await standing()).not.toMatchObject({ outcome: "refused", stale: false });
});
