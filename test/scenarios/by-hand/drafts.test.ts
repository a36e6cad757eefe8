import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../../app/domain/errors.ts";
import { markerOf } from "../../../app/domain/marker.ts";
import { holds } from "../../../app/domain/plan/plan.ts";
import type { AddressTemplate, TemplateDraft } from "../../../app/domain/records.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { SUPPLIER, workFor } from "../../fakes/by-hand.ts";
import { connectionRecord, linkRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { firstMeets, REPLY_LOST, REQUEST_LOST, unanswered } from "../../fakes/shipping/outcomes.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * Templates made, edited and deleted by hand, once each, whatever becomes of the answers.
 *
 * Long, because every lost or late answer is tried for each of the three.
 */

const PROVIDER: TemplateDraft = { ...SUPPLIER, alias_name: "Proveedor" };

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

async function submit(draftId: string, over: Partial<Parameters<typeof submitDraft>[1]> = {}) {
  const requested = await submitDraft(world.services, {
    shop: SHOP,
    draftId,
    operation: "create",
    templateId: null,
    draft: PROVIDER,
    base: null,
    ...over,
  });
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

const draftOf = async (id: string) => (await world.store.drafts.find({ id }))!;

describe("a template made by hand", () => {
  test("is created once, however often the form is sent", async () => {
    await Promise.all([submit("d1"), submit("d1")]).catch(() => undefined);
    expect(await submit("d1")).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["create"]);
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "done" } });
    expect(await world.store.templates.count({ shop: SHOP })).toBe(1);
  });

  test("that the service refuses is told with the address's name, and field by field", async () => {
    const body = JSON.stringify({ errors: { phone: ["has to have 10 digits"] } });
    const answer = { kind: "said", status: 422, body, afterMs: 20 } as const;
    world.outcomeOf = (operation) => (operation === "create" ? { ...PROMPT, effectAfterMs: null, answer } : PROMPT);
    await submit("d1");
    const [line] = await world.store.activity.list({ shop: SHOP, kind: "draft_refused" });
    expect(line).toMatchObject({ locationName: "Proveedor", outcome: "failed" });
    expect(line!.fields).toEqual([{ field: "phone", from: null, to: "has to have 10 digits" }]);
  });

  test.each([
    ["create", null],
    ["delete", "t-1"],
  ] as const)("is not said to be gone when the account was changed before: %s", async (operation, templateId) => {
    await world.store.connections.update({ shop: SHOP }, { state: "unconfirmed" });
    const draft = operation === "create" ? PROVIDER : null;
    await submit("d1", { operation, templateId, draft });
    await world.store.connections.update({ shop: SHOP }, { current: false, state: "aside" });
    await world.store.connections.insert(connectionRecord({ id: "connection-2", clientId: "client-2" }));
    await world.requestWork("template", "d1");
    const worker = world.start();
    await world.runFor();
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "account_changed" } });
    expect(world.calls).toEqual([]);
    await world.clock.runWhile(worker.stop());
  });

  test("is not said to be gone when another shop's location has it", async () => {
    const another = "two.myshopify.com";
    await world.store.shops.insert(shopRecord({ shop: another }));
    await world.store.connections.insert(connectionRecord({ id: "connection-2", shop: another }));
    const others = { id: "link-2", shop: another, connectionId: "connection-2", templateId: "t-1" };
    await world.store.links.insert(linkRecord(others));
    await submit("d1", { operation: "delete", templateId: "t-1", draft: null });
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "anothers" } });
    expect(world.calls).toEqual([]);
  });

  test("carries no location's marker, a copy neither", async () => {
    await submit("d1", { draft: { ...PROVIDER, alias_name: `Copia [OR-${markerOf(SHOP, "x")}]` } });
    expect([...world.account.templates.values()][0]!.alias_name).toBe("Copia");
  });

  describe("whose reply was lost", () => {
    async function submitUnheard(outcome: CallOutcome): Promise<void> {
      firstMeets(world, "create", outcome);
      expect((await submit("d1")).kind).toBe("under_way");
    }

    test("is found by its words and not made again; the form is told what is there, for it may be somebody else's", async () => {
      await submitUnheard(unanswered(20));
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(1);
      const [templateId] = world.account.templates.keys();
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    });

    test("is found though its owner has linked it to a location meanwhile", async () => {
      await submitUnheard(unanswered(20));
      const [templateId] = world.account.templates.keys();
      await world.store.links.insert(linkRecord({ templateId: templateId!, how: "chosen" }));
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(1);
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    });

    test("is found by most of its words where somebody corrected it meanwhile", async () => {
      await submitUnheard(unanswered(20));
      const [templateId] = world.account.templates.keys();
      world.account.byPerson.edit(templateId!, "reference", "Timbre azul", world.clock.nowMs());
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(1);
      expect(world.account.templates.get(templateId!)!.address.reference).toBe("Timbre azul");
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    });

    test("is not made again where somebody gave it another name meanwhile: its address is enough to ask the owner", async () => {
      await submitUnheard(unanswered(20));
      const [templateId] = world.account.templates.keys();
      for (const [field, value] of [
        ["alias_name", "Suya 1752"],
        ["area_level1", "Jalisco"],
      ] as const)
        world.account.byPerson.edit(templateId!, field, value, world.clock.nowMs());
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(1);
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    });

    test("is made again beside another address that came meanwhile", async () => {
      await submitUnheard(REQUEST_LOST);
      world.account.byPerson.add({
        ...PROVIDER,
        alias_name: "Suya 1752",
        address_attributes: { ...PROVIDER.address_attributes, street_number: "9" },
      });
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(2);
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "done" } });
    });

    test("is not made again however much of it people changed meanwhile: its name is enough to ask the owner", async () => {
      await submitUnheard(unanswered(20));
      const [templateId] = world.account.templates.keys();
      const anew = { name: "Eva", street_number: "77", postal_code: "72000", email: "eva@example.com" } as const;
      for (const [field, value] of Object.entries(anew))
        world.account.byPerson.edit(templateId!, field as keyof typeof anew, value, world.clock.nowMs());
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(1);
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    });

    test("is made where all that is like it was known before", async () => {
      const other = { street1: "Calle Morelos", street_number: "77", postal_code: "72000", area_level2: "Puebla" };
      world.account.byPerson.add({
        ...PROVIDER,
        address_attributes: { ...PROVIDER.address_attributes, ...other },
      });
      await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
      await submitUnheard(unanswered(null));
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(2);
      expect([...world.account.templates.values()].filter((template) => holds(template, PROVIDER))).toHaveLength(1);
    });

    test("is not taken to be one that was known before, however often the book is read meanwhile", async () => {
      const there = world.account.byPerson.add(PROVIDER);
      const readBook = () => world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
      await readBook();
      await submitUnheard(unanswered(null));
      await world.clock.runFor(20_000);
      await readBook();
      await workFor(world, 240_000);
      const draft = await draftOf("d1");
      expect(draft).toMatchObject({ outcome: { kind: "done" } });
      expect([...world.account.templates.keys()]).toEqual([there.id, draft.templateId]);
    });

    test.each([
      ["was never read", 0],
      ["was read an hour before", 3_600_000],
    ])(
      "is never told to be done because somebody's has its words, that came before it: the book %s",
      async (_title, agoMs) => {
        if (agoMs > 0) {
          await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
          await world.clock.runFor(agoMs);
        }
        const there = world.account.byPerson.add(PROVIDER);
        await submitUnheard(unanswered(null));
        await workFor(world, 240_000);
        expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId: there.id });
        expect(await world.store.activity.list({ shop: SHOP, kind: "draft_alike" })).toMatchObject([
          { templateId: there.id, outcome: "noted" },
        ]);
        expect(await world.store.activity.count({ shop: SHOP, kind: "template_created" })).toBe(0);
        expect([...world.account.templates.keys()]).toEqual([there.id]);
      },
    );

    test("is not made again because one listing misses what it made", async () => {
      for (let nth = 1; nth <= 20; nth += 1)
        world.account.byPerson.add({ ...PROVIDER, alias_name: `Otro ${nth}`, address_attributes: { name: `${nth}` } });
      await submitUnheard(unanswered(20));
      let swapped = false;
      const { outcomeOf } = world;
      world.outcomeOf = (operation, request) => {
        if (operation === "list" && request.page === 2 && !swapped) {
          swapped = true;
          world.account.byPerson.remove(world.account.templates.keys().next().value!);
          world.account.byPerson.add({ ...PROVIDER, alias_name: "Otro más", address_attributes: { name: "21" } });
        }
        return outcomeOf(operation, request);
      };
      await world.clock.runFor(120_000);
      await submit("d1");
      expect(swapped).toBe(true);
      expect((await world.workItem("template", "d1")).reason?.code).toBe("book_unconfirmed");
      const worker = world.start();
      await world.runFor(40_000);
      await world.clock.runWhile(worker.stop());
      expect(world.calls.filter((call) => call === "create")).toHaveLength(1);
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" } });
    });

    test("nor to be what another unclear form made, whose name is the beginning of its own, though the service alters words", async () => {
      world = await createWorld({ habits: { capitals: true } });
      const said = { ...PROVIDER, alias_name: "Proveedor de Guadalajara" };
      const longer = { ...said, alias_name: `${said.alias_name}, calle Morelos` };
      world.outcomeOf = (operation) => (operation === "create" ? unanswered(null) : PROMPT);
      await submit("d1", { draft: longer });
      await world.clock.runFor(5_000);
      world.outcomeOf = (operation) => (operation === "create" ? unanswered(20) : PROMPT);
      await submit("d2", { draft: said });
      world.outcomeOf = () => PROMPT;
      const [templateId] = world.account.templates.keys();
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(2);
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "done" } });
      expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    });

    test("nor to be what another form is told of in the same moment", async () => {
      const outcomes = [unanswered(20), unanswered(null)];
      world.outcomeOf = (operation) => (operation === "create" ? (outcomes.shift() ?? PROMPT) : PROMPT);
      for (const id of ["d1", "d2"]) await submit(id);
      await world.clock.runFor(150_000);
      // Both look in what was listed a moment ago.
      await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
      await workFor(world, 240_000);
      const made = [await draftOf("d1"), await draftOf("d2")];
      expect(made.map(({ outcome }) => outcome?.kind).sort()).toEqual(["alike", "done"]);
      expect(new Set(made.map(({ templateId }) => templateId))).toEqual(new Set(world.account.templates.keys()));
      expect(world.account.templates.size).toBe(2);
    });

    test("nor to be what another unclear form made, while a row that may be its own cannot be read", async () => {
      world.outcomeOf = (operation) => (operation === "create" ? unanswered(20) : PROMPT);
      await submit("d1");
      const [hidden] = world.account.templates.keys();
      world.malformed.set(hidden!, ({ id, alias_name }) => ({ id, alias_name, address: 5 }));
      await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
      await submit("d2");
      world.outcomeOf = () => PROMPT;
      await workFor(world, 240_000);
      expect(world.account.templates.size).toBe(2);
      expect(await draftOf("d1")).toMatchObject({ outcome: null });
      expect((await world.workItem("template", "d1")).reason?.code).toBe("unreadable");
      const [, theirs] = world.account.templates.keys();
      expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "alike" }, templateId: theirs });
      world.malformed.clear();
      await workFor(world, 20 * 60_000);
      expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId: hidden });
    });

    test("nor to be what another form made", async () => {
      await submitUnheard(unanswered(null));
      await submit("d2");
      await workFor(world, 240_000);
      const made = [await draftOf("d1"), await draftOf("d2")];
      expect(made).toMatchObject([{ outcome: { kind: "done" } }, { outcome: { kind: "done" } }]);
      expect(new Set(made.map(({ templateId }) => templateId))).toEqual(new Set(world.account.templates.keys()));
      expect(world.account.templates.size).toBe(2);
    });
  });
});

describe("a template edited by hand", () => {
  let base: AddressTemplate;
  beforeEach(() => {
    base = world.account.byPerson.add(PROVIDER);
  });
  const edit = (draftId: string, change: TemplateDraft["address_attributes"], alias = PROVIDER.alias_name) =>
    submit(draftId, {
      operation: "update",
      templateId: base.id,
      base,
      draft: { ...PROVIDER, alias_name: alias, address_attributes: { ...PROVIDER.address_attributes, ...change } },
    });

  test("is sent what the person changed, and nothing else", async () => {
    world.account.byPerson.edit(base.id, "reference", "Timbre azul", world.clock.nowMs());
    expect(await edit("d1", { name: "Luz" })).toEqual({ kind: "done" });
    expect(world.account.templates.get(base.id)!.address).toMatchObject({ name: "Luz", reference: "Timbre azul" });
  });

  test("that somebody changed in the same field since is a conflict, and nothing goes", async () => {
    world.account.byPerson.edit(base.id, "name", "Otra", world.clock.nowMs());
    await edit("d1", { name: "Luz", street_number: "8" });
    expect(world.calls).toEqual(["get"]);
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "conflict", fields: { name: ["Otra"] } } });
  });

  test("keeps the marker of a location's template", async () => {
    const marked = { ...PROVIDER, alias_name: "Bodega [OR-B7EEKZ77]" };
    base = world.account.byPerson.add(marked);
    await edit("d1", {}, "Otro nombre");
    expect(world.account.templates.get(base.id)!.alias_name).toBe("Otro nombre [OR-B7EEKZ77]");
  });

  test("by two people in one field at once, is the first one's; the second is told", async () => {
    await Promise.all([edit("d1", { name: "Luz" }), edit("d2", { name: "Sol" })]);
    const outcomes = [await draftOf("d1"), await draftOf("d2")].map(({ outcome }) => outcome?.kind);
    expect(outcomes.toSorted()).toEqual(["conflict", "done"]);
    expect(world.account.templates.get(base.id)!.address.name).toBe(outcomes[0] === "done" ? "Luz" : "Sol");
    expect(world.calls.filter((call) => call === "update")).toHaveLength(1);
  });

  test("that is gone meanwhile says so", async () => {
    world.account.byPerson.remove(base.id);
    expect((await edit("d1", { name: "Luz" })).kind).toBe("under_way");
    expect((await world.workItem("template", "d1")).reason?.code).toBe("absence_unconfirmed");
    await world.clock.runFor(60_000);
    await edit("d1", { name: "Luz" });
    expect(world.calls).toEqual(["get", "get", "list"]);
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "gone" } });
  });
});

describe("a template edited by hand, where an update empties what it does not name", () => {
  test.each([
    ["answered", PROMPT],
    ["whose reply was lost", REPLY_LOST],
  ] as [string, CallOutcome][])("keeps what others said since the form was shown; %s", async (_title, outcome) => {
    world = await createWorld({ habits: { wipes: true } });
    const base = world.account.byPerson.add(PROVIDER);
    world.account.byPerson.edit(base.id, "reference", "Timbre azul", world.clock.nowMs());
    firstMeets(world, "update", outcome);
    const worker = world.start();
    const address_attributes = { ...PROVIDER.address_attributes, name: "Luz" };
    await submit("d1", { operation: "update", templateId: base.id, base, draft: { ...PROVIDER, address_attributes } });
    await world.runFor(120_000);
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "done" } });
    expect(world.account.templates.get(base.id)!.address).toMatchObject({
      ...PROVIDER.address_attributes,
      name: "Luz",
      reference: "Timbre azul",
    });
    await world.clock.runWhile(worker.stop());
  });
});

test("what a form may just have made is let alone until that is clear, for its exact words tell it", async () => {
  firstMeets(world, "create", REPLY_LOST);
  await submit("d1");
  const worker = world.start();
  await world.runFor(70_000);
  const [base] = [...world.account.templates.values()];
  expect(await world.store.templates.count({ templateId: base!.id })).toBe(1);
  const draft = { ...PROVIDER, address_attributes: { ...PROVIDER.address_attributes, name: "Luz" } };
  expect(await submit("d2", { operation: "update", templateId: base!.id, base: base!, draft })).toMatchObject({
    kind: "under_way",
  });
  await world.runFor(180_000);
  expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "done" } });
  expect([...world.account.templates.values()].map(({ address }) => address.name)).toEqual(["Luz"]);
  await world.clock.runWhile(worker.stop());
});

describe("while the list always fails, an unclear form", () => {
  const FAILS: CallOutcome = {
    ...PROMPT,
    answer: { kind: "said", status: 500, body: '{"message":"Error interno"}', afterMs: 20 },
  };
  const readBook = () => world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  const other = { ...PROVIDER, address_attributes: { ...PROVIDER.address_attributes, name: "Luz" } };
  const edit = (base: AddressTemplate) =>
    submit("d2", { operation: "update", templateId: base.id, base, draft: other });

  test("holds nothing up that was known before it was sent", async () => {
    const base = world.account.byPerson.add(PROVIDER);
    await readBook();
    world.outcomeOf = (operation) => (operation === "create" ? REQUEST_LOST : operation === "list" ? FAILS : PROMPT);
    const worker = world.start();
    await submit("d1");
    await edit(base);
    await world.runFor(60_000);
    expect(await world.store.pendingWrites.count({ workItemId: (await world.workItem("template", "d1")).id })).toBe(1);
    expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "done" } });
    expect(world.account.templates.get(base.id)!.address.name).toBe("Luz");
    await world.clock.runWhile(worker.stop());
  });

  test("is cleared up by what is known to have its words, which waits no longer", async () => {
    world.outcomeOf = (operation) => (operation === "create" ? REPLY_LOST : PROMPT);
    await submit("d1");
    await readBook();
    const [base] = [...world.account.templates.values()];
    world.outcomeOf = (operation) => (operation === "list" ? FAILS : PROMPT);
    const worker = world.start();
    expect(await edit(base!)).toMatchObject({ kind: "under_way" });
    await world.runFor(180_000);
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "alike" }, templateId: base!.id });
    expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "done" } });
    await world.clock.runWhile(worker.stop());
  });

  test("holds up nothing that another form is known to have made", async () => {
    world.outcomeOf = (operation) => (operation === "create" ? REQUEST_LOST : PROMPT);
    await submit("d1");
    world.outcomeOf = (operation) => (operation === "list" ? FAILS : PROMPT);
    await submit("d3");
    const [base] = [...world.account.templates.values()];
    const worker = world.start();
    await edit(base!);
    await world.runFor(60_000);
    expect(await draftOf("d1")).toMatchObject({ outcome: null });
    expect(await draftOf("d2")).toMatchObject({ outcome: { kind: "done" } });
    expect(world.account.templates.get(base!.id)!.address.name).toBe("Luz");
    await world.clock.runWhile(worker.stop());
  });

  test("is neither told nor made again where nothing is known to have its words, or no more", async () => {
    world.outcomeOf = (operation) => (operation === "create" ? REPLY_LOST : PROMPT);
    await submit("d1");
    await readBook();
    world.account.byPerson.remove([...world.account.templates.keys()][0]!);
    world.outcomeOf = (operation) => (operation === "list" ? FAILS : PROMPT);
    const worker = world.start();
    await world.runFor(240_000);
    expect(await draftOf("d1")).toMatchObject({ outcome: null });
    expect(await world.workItem("template", "d1")).toMatchObject({ reason: { code: "book_unreadable" } });
    expect(world.account.templates.size).toBe(0);
    await world.clock.runWhile(worker.stop());
  });
});

test("a location waits while a change by hand to its template is unclear, without a call", async () => {
  const key = await world.addLocation(1);
  const first = await world.requestWork("location", key);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...first }));
  const base = world.templateOf(key)!;
  firstMeets(world, "update", REQUEST_LOST);
  const change = { ...PROVIDER, alias_name: base.alias_name, address_attributes: { ...base.address, name: "Luz" } };
  expect((await submit("d1", { operation: "update", templateId: base.id, base, draft: change })).kind).toBe(
    "under_way",
  );
  world.shopify.put(SHOP, shopifyLocation(1, { name: "Centro" }));
  const worker = world.start();
  await world.runFor(20_000);
  const there = () => world.calls.filter((call) => call !== "list").length;
  const calls = there();
  await world.runFor(50_000);
  expect(there()).toBe(calls);
  expect((await world.workItem("location", key)).reason!.code).toBe("quarantine");
  await world.runFor(120_000);
  expect(world.account.templates.get(base.id)).toMatchObject({ address: { name: "Luz" } });
  expect(world.account.templates.get(base.id)!.alias_name).toMatch(/^Centro /);
  await world.clock.runWhile(worker.stop());
});

test("a reading that was asked for before a change by hand and comes after its answer is no ground for a write", async () => {
  world = await createWorld({ habits: { wipes: true } });
  const key = await world.addLocation(1);
  const first = await world.requestWork("location", key);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...first }));
  const base = structuredClone(world.templateOf(key)!);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  const moved = await world.requestWork("location", key);
  const slow: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 2_500 } };
  let gets = 0;
  world.outcomeOf = (operation) => (operation === "get" && (gets += 1) === 1 ? slow : PROMPT);
  const location = runNow(world.services, { shop: SHOP, ...moved });
  await world.runFor(100);
  expect(gets).toBe(1);
  const change = { ...PROVIDER, alias_name: base.alias_name, address_attributes: { ...base.address, name: "Luz" } };
  await submit("d1", { operation: "update", templateId: base.id, base, draft: change });
  const worker = world.start();
  await world.clock.runWhile(location);
  await world.runFor();
  expect(world.account.templates.get(base.id)!.address).toMatchObject({ name: "Luz", street_number: "777" });
  await world.clock.runWhile(worker.stop());
});

describe("a template deleted by hand", () => {
  test("goes, with its link and what was known of it", async () => {
    const key = await world.addLocation(1);
    const requested = await world.requestWork("location", key);
    await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
    const templateId = world.templateOf(key)!.id;
    await world.store.details.update({ locationId: key }, { inclusion: "never" });
    expect(await submit("d1", { operation: "delete", templateId, draft: null })).toEqual({ kind: "done" });
    expect(world.account.templates.size).toBe(0);
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
    expect(await world.store.templates.count({ shop: SHOP })).toBe(0);
  });

  test("that is gone already is done", async () => {
    const { id } = world.account.byPerson.add(PROVIDER);
    world.account.byPerson.remove(id);
    const remove = () => submit("d1", { operation: "delete", templateId: id, draft: null });
    expect((await remove()).kind).toBe("under_way");
    await world.clock.runFor(60_000);
    await remove();
    expect(world.calls).toEqual(["get", "get", "list"]);
    expect(await draftOf("d1")).toMatchObject({ outcome: { kind: "done" } });
  });
});

test("a save in a process that is stopping asks a few times a second, not without a pause", async () => {
  const { shipping } = world.services;
  const { account } = shipping;
  let asked = 0;
  shipping.account = (ref) => ({
    ...account(ref),
    create: async () => {
      asked += 1;
      const kind = asked > 500 ? "internal" : "cancelled";
      throw new AppError({ kind, message: "the slots are closed", effect: "none" });
    },
  });
  expect((await submit("d1")).kind).toBe("under_way");
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(world.services.settings.interactiveWaitMs / 100 + 1);
});
