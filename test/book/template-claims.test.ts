import { beforeEach, describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { submitDraft } from "../../app/by-hand/submit-draft.ts";
import { SUPPLIER, workFor } from "../fakes/by-hand.ts";
import { connectionRecord, SHOP, shopRecord } from "../fakes/records.ts";
import type { CallOutcome } from "../fakes/shipping/network.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { unanswered } from "../fakes/shipping/outcomes.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const ANOTHER = "two.myshopify.com";

const LONGER = { ...SUPPLIER, alias_name: `${SUPPLIER.alias_name}, calle Morelos` };

let world: World;
let creates: CallOutcome[];

beforeEach(async () => {
  world = await createWorld();
  creates = [];
  world.outcomeOf = (operation) => (operation === "create" ? (creates.shift() ?? PROMPT) : PROMPT);
});

async function begin(draftId: string, { shop = SHOP, draft = SUPPLIER, outcome = PROMPT } = {}) {
  creates.push(outcome);
  const form = { shop, draftId, operation: "create", templateId: null, draft, base: null } as const;
  return { shop, ...(await submitDraft(world.services, form)) };
}

async function submit(draftId: string, how: Parameters<typeof begin>[1] = {}): Promise<void> {
  await world.clock.runWhile(runNow(world.services, await begin(draftId, how)));
}

const draftOf = async (id: string) => (await world.store.drafts.find({ id }))!;
const readBook = () => world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));

/** The owner enters another client id, which opens the same account. */
async function takeOver(): Promise<void> {
  world.accounts.set("client-2", world.account);
  await world.store.connections.update({ shop: SHOP }, { current: false, state: "aside" });
  await world.store.connections.insert(connectionRecord({ id: "connection-2", clientId: "client-2" }));
}

describe("an unclear form is not told of a template", () => {
  test("that another form is making in this moment", async () => {
    await submit("d1", { outcome: unanswered(null) });
    await world.clock.runFor(150_000);
    // The second form's create has taken effect, and its answer is on the way while the first form looks.
    const form = await begin("d2", { outcome: { ...PROMPT, answer: { kind: "true", afterMs: 4_000 } } });
    const made = world.clock.runWhile(runNow(world.services, form));
    await workFor(world, 300_000);
    await made;
    const forms = [await draftOf("d1"), await draftOf("d2")];
    expect(forms).toMatchObject([{ outcome: { kind: "done" } }, { outcome: { kind: "done" } }]);
    expect(new Set(forms.map(({ templateId }) => templateId))).toEqual(new Set(world.account.templates.keys()));
    expect(world.account.templates.size).toBe(2);
  });

  test("that another form made over another client id", async () => {
    await submit("d1");
    await takeOver();
    await submit("d2", { draft: LONGER, outcome: unanswered(null) });
    await workFor(world, 300_000);
    expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "done" } });
    expect(world.account.templates.size).toBe(2);
  });

  test("that a form of another shop of the account made", async () => {
    await world.store.shops.insert(shopRecord({ shop: ANOTHER }));
    await world.store.connections.insert(connectionRecord({ id: "connection-2", shop: ANOTHER }));
    await submit("d1", { shop: ANOTHER });
    await submit("d2", { outcome: unanswered(null) });
    await workFor(world, 300_000);
    expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "done" } });
    expect(world.account.templates.size).toBe(2);
  });

  test("that was known over another client id before the form was sent", async () => {
    const there = world.account.byPerson.add(SUPPLIER);
    await readBook();
    await takeOver();
    await submit("d1", { outcome: unanswered(null) });
    await workFor(world, 300_000);
    const { outcome, templateId } = await draftOf("d1");
    expect(outcome).toMatchObject({ kind: "done" });
    expect([...world.account.templates.keys()]).toEqual([there.id, templateId]);
  });

  test("that an unclear form of another shop fits better", async () => {
    await world.store.shops.insert(shopRecord({ shop: ANOTHER }));
    await world.store.connections.insert(connectionRecord({ id: "connection-2", shop: ANOTHER }));
    await submit("d1", { draft: LONGER, outcome: unanswered(null) });
    await submit("d2", { shop: ANOTHER, outcome: unanswered(20) });
    const [templateId] = world.account.templates.keys();
    await workFor(world, 300_000);
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "done" } });
    expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    expect(world.account.templates.size).toBe(2);
  });
});

test.each([
  ["arrived", unanswered(20), unanswered(null)],
  ["never arrived", unanswered(null), unanswered(20)],
  ["arrived, too", unanswered(20), unanswered(20)],
])("of two unclear forms with the same words each has one template; the first one's create %s", async (...outcomes) => {
  await submit("d1", { outcome: outcomes[1] });
  await world.clock.runFor(50_000);
  await submit("d2", { outcome: outcomes[2] });
  await workFor(world, 300_000);
  const forms = [await draftOf("d1"), await draftOf("d2")];
  expect(forms.every(({ endedAtMs }) => endedAtMs !== null)).toBe(true);
  expect(new Set(forms.map(({ templateId }) => templateId))).toEqual(new Set(world.account.templates.keys()));
  expect(world.account.templates.size).toBe(2);
});

test("an unclear form whose template somebody corrected leaves the other one to the only form that can have made it", async () => {
  await submit("d1", { outcome: unanswered(20) });
  const [first] = world.account.templates.keys();
  await world.clock.runFor(30_000);
  world.account.byPerson.edit(first!, "reference", "Timbre azul", world.clock.nowMs());
  // What is listed before the second form is sent is not what that one makes.
  await readBook();
  await submit("d2", { outcome: unanswered(20) });
  await workFor(world, 300_000);
  const [, second] = world.account.templates.keys();
  expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId: first });
  expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "alike" }, templateId: second });
  expect(world.account.templates.size).toBe(2);
});
