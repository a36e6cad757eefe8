import { describe, expect, test } from "vitest";
import type { TemplateIntent } from "../../app/components/address-book/template-intent.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import { eachField } from "../../app/domain/address/form-fields.ts";
import type { AddressTemplate, TemplateDraft } from "../../app/domain/records.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { connectionRecord, linkRecord, locationRecord, SHOP, shopRecord } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import type { CallOutcome, Operation } from "../fakes/shipping/network.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { opened, posting } from "./posting.ts";
import type { Params } from "./posting.ts";

/**
 * What the address book's pages send, from their actions to the store and the service.
 *
 * Long, because every case begins with the same form of the same template.
 */

const postBook = posting<{ force: boolean }>(() => import("../../app/routes/app.address-book._index/route.tsx"));
const postNew = posting<TemplateIntent>(() => import("../../app/routes/app.address-book.new/route.tsx"));
const postTo = posting<TemplateIntent>(() => import("../../app/routes/app.address-book.$templateId/route.tsx"));

const OTHER = "two.myshopify.com";

/** The form of a new template, with each of its fields. */
const DRAFT: TemplateDraft = {
  ...SUPPLIER,
  default: false,
  address_attributes: eachField(ADDRESS_FIELDS, (field) => SUPPLIER.address_attributes[field] ?? null),
};

const changed = (over: Partial<TemplateDraft["address_attributes"]>): TemplateDraft => ({
  ...DRAFT,
  address_attributes: { ...DRAFT.address_attributes, ...over },
});

/** A template that somebody made there, and that the app has read. */
async function known(): Promise<{ world: World; base: AddressTemplate; templateId: string }> {
  const world = await createWorld({ policies: { carriers: [] } });
  const { id: templateId } = world.account.byPerson.add(DRAFT);
  await postBook(world, { force: true });
  await world.runFor(60_000);
  world.calls.length = 0;
  const { template } = (await world.store.templates.find({ templateId }))!;
  return { world, base: template, templateId };
}

const there = (world: World, templateId: string) => world.account.templates.get(templateId)?.address;
const draftOf = (world: World) => world.store.drafts.find({ id: "d-1" });

function told(intent: TemplateIntent["intent"], outcome: object) {
  const next = intent === "save" || intent === "delete" ? { nextDraftId: expect.any(String) as string } : {};
  return { status: 200, said: { intent, outcome, ...next } };
}

describe("the address book", () => {
  test("is read, though it was read just now where the button says so", async () => {
    const { world } = await known();
    const fresh = { status: 200, said: { refreshed: "fresh" } };
    const calls = async (force: boolean) => {
      world.calls.length = 0;
      expect(await postBook(world, { force })).toEqual(fresh);
      return world.calls.length;
    };
    const { id } = world.account.byPerson.add({ ...DRAFT, alias_name: "Otro" });
    expect([await calls(false), await calls(false), await calls(true)]).toEqual([1, 0, 1]);
    expect(await world.store.templates.count({ templateId: id })).toBe(1);
  });

  test("is told to be unreachable, and not connected", async () => {
    const { world } = await known();
    await world.store.connections.update({ shop: SHOP }, { backoffUntilMs: world.clock.nowMs() + 60_000 });
    expect((await postBook(world, { force: true })).said).toEqual({ refreshed: "unreachable" });
    expect((await postBook(world, { force: true }, { shop: OTHER })).said).toEqual({ refreshed: "not_connected" });
  });
});

describe("a new template", () => {
  const save = { intent: "save", draftId: "d-1", draft: DRAFT, base: null } as const;

  test("is made in the account, once for one draft", async () => {
    const world = await createWorld();
    const answer = await postNew(world, save);
    const [templateId] = world.account.templates.keys();
    expect(answer).toEqual(told("save", { kind: "done", templateId }));
    expect(there(world, templateId!)).toMatchObject(SUPPLIER.address_attributes);
    expect(await draftOf(world)).toMatchObject({ operation: "create", templateId, base: null });
    expect(await postNew(world, save)).toMatchObject({ said: { outcome: { kind: "done", templateId } } });
    expect(world.account.templates.size).toBe(1);
  });

  test.each<[string, object, TemplateDraft?, CallOutcome?]>([
    ["its words are wrong", { kind: "invalid", problems: [{ field: "postal_code" }] }, changed({ postal_code: "1" })],
    [
      "the service refuses it",
      { kind: "refused", message: "no", fields: { street1: ["es muy larga"] } },
      DRAFT,
      said(422, { message: "no", errors: { street1: ["es muy larga"] } }),
    ],
  ])("is not made: %s", async (_title, outcome, draft = DRAFT, happens = PROMPT) => {
    const world = await createWorld();
    world.outcomeOf = (operation) => (operation === "create" ? happens : PROMPT);
    expect(await postNew(world, { ...save, draft })).toMatchObject({ status: 200, said: { intent: "save", outcome } });
    expect(world.account.templates.size).toBe(0);
  });

  test("is not made without an account", async () => {
    const world = await createWorld({ connected: false });
    expect(await postNew(world, save)).toEqual(told("save", { kind: "not_connected" }));
  });
});

const COMMANDS: Record<TemplateIntent["intent"], () => Promise<void>> = {
  async save() {
    const { world, base, templateId } = await known();
    world.account.byPerson.edit(templateId, "reference", "Puerta roja", world.clock.nowMs());
    const body = { intent: "save", draftId: "d-1", draft: changed({ company: "Café" }), base } as const;
    expect(await postTo(world, body, { templateId })).toEqual(told("save", { kind: "done", templateId }));
    // What the person left alone is not sent.
    expect(there(world, templateId)).toMatchObject({ company: "Café", reference: "Puerta roja" });
    expect(await draftOf(world)).toMatchObject({ operation: "update", templateId });
  },
  async delete() {
    const { world, templateId } = await known();
    const answer = await postTo(world, { intent: "delete", draftId: "d-1" }, { templateId });
    expect(answer).toEqual(told("delete", { kind: "done", templateId }));
    expect(world.account.templates.size).toBe(0);
    expect(await draftOf(world)).toMatchObject({ operation: "delete", templateId });
  },
  async verify() {
    const { world, templateId } = await known();
    const answer = await postTo(world, { intent: "verify", carriers: ["FedEx", "DHL", "fedex"] }, { templateId });
    expect(answer).toEqual(told("verify", { kind: "quiet" }));
    const asked = await world.store.verifications.list({ shop: SHOP, templateId }, { orderBy: { carrier: "asc" } });
    expect(asked.map(({ carrier }) => carrier)).toEqual(["dhl", "fedex"]);
    expect(world.calls).toContain("verify");
  },
  async refresh() {
    const { world, templateId } = await known();
    world.account.byPerson.edit(templateId, "reference", "Puerta roja", world.clock.nowMs());
    const answer = await postTo(world, { intent: "refresh" }, { templateId });
    expect(answer).toEqual(told("refresh", { kind: "quiet" }));
    expect(world.calls).toEqual(["get"]);
    expect((await world.store.templates.find({ templateId }))!.template.address.reference).toBe("Puerta roja");
  },
};

describe("a command of a template's page", () => {
  test.each(Object.entries(COMMANDS))("%s", (_intent, play) => play());
});

function said(status: number, body: object): CallOutcome {
  const answer = { kind: "said", status, body: JSON.stringify(body), afterMs: 20 } as const;
  return { arrivesAfterMs: 20, effectAfterMs: null, answer };
}

const silence: CallOutcome = { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "silence" } };
const refusal = said(422, { message: "no", errors: {} });

interface Case {
  intent: "save" | "delete";
  outcome: object;
  /** What somebody did in the account since the form was shown. */
  since?: (world: World, templateId: string) => Promise<unknown> | void;
  draft?: TemplateDraft;
  happens?: [Operation, CallOutcome];
}

const edit = (world: World, templateId: string) =>
  world.account.byPerson.edit(templateId, "company", "Otra", world.clock.nowMs());
const remove = (world: World, templateId: string) => world.account.byPerson.remove(templateId);
const disconnect = (world: World) => world.store.connections.update({ shop: SHOP }, { state: "disconnected" });

describe("a template's page is told why not", () => {
  test.each<[string, Case]>([
    ["a word is wrong", { intent: "save", draft: changed({ phone: "1" }), outcome: { kind: "invalid" } }],
    ["somebody changed the same", { intent: "save", since: edit, outcome: { kind: "conflict" } }],
    ["the service refuses it", { intent: "save", happens: ["update", refusal], outcome: { kind: "refused" } }],
    ["nobody answers", { intent: "save", happens: ["update", silence], outcome: { kind: "under_way" } }],
    [
      "it may be gone",
      { intent: "save", since: remove, outcome: { kind: "under_way", because: "absence_unconfirmed" } },
    ],
    [
      "the account is closed",
      { intent: "save", since: disconnect, outcome: { kind: "waits", reason: "not_connected" } },
    ],
    ["the service refuses it", { intent: "delete", happens: ["delete", refusal], outcome: { kind: "refused" } }],
    ["nobody answers", { intent: "delete", happens: ["delete", silence], outcome: { kind: "under_way" } }],
    [
      "the account is closed",
      { intent: "delete", since: disconnect, outcome: { kind: "waits", reason: "not_connected" } },
    ],
  ])("%s: $intent", async (_title, { intent, outcome, since, draft = changed({ company: "Café" }), happens }) => {
    const { world, base, templateId } = await known();
    await since?.(world, templateId);
    world.outcomeOf = (operation) => (happens?.[0] === operation ? happens[1] : PROMPT);
    const body = intent === "save" ? { intent, draftId: "d-1", draft, base } : { intent, draftId: "d-1" };
    expect(await postTo(world, body, { templateId })).toMatchObject({ status: 200, said: { intent, outcome } });
  });

  test.each(["save", "delete"] as const)("it was gone: %s", async (intent) => {
    const { world, base, templateId } = await known();
    remove(world, templateId);
    const draft = changed({ company: "Café" });
    const body = intent === "save" ? { intent, draftId: "d-1", draft, base } : { intent, draftId: "d-1" };
    // Two sightings, and a minute of listings.
    for (let asked = 0; asked < 2; asked += 1) {
      await postTo(world, body, { templateId });
      await world.runFor(65_000);
    }
    const ended = intent === "save" ? { kind: "gone" } : { kind: "done" };
    expect(await postTo(world, body, { templateId })).toMatchObject({ status: 200, said: { intent, outcome: ended } });
  });
});

test("a location's template is not changed here, where it would come back as somebody else's change", async () => {
  const { world, base, templateId } = await known();
  const location = shopifyLocation(1);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  await world.store.links.insert(linkRecord({ locationId: location.locationId, templateId }));
  const body = { intent: "save", draftId: "d-1", draft: changed({ reference: "Puerta roja" }), base } as const;
  expect(await postTo(world, body, { templateId })).toEqual(told("save", { kind: "linked" }));
  expect(world.calls).toEqual([]);
  expect(await draftOf(world)).toBeNull();
});

test.each<TemplateIntent["intent"]>(["save", "delete", "verify", "refresh"])(
  "another shop's template is not found: %s",
  async (i) => {
    const { world, base, templateId } = await known();
    const all: TemplateIntent[] = [
      { intent: "save", draftId: "d-1", draft: DRAFT, base },
      { intent: "delete", draftId: "d-1" },
      { intent: "verify", carriers: ["fedex"] },
      { intent: "refresh" },
    ];
    const body = all.find(({ intent }) => intent === i)!;
    const elsewhere: Params[] = [{ shop: OTHER, templateId }, { templateId: "nobodys" }];
    for (const where of elsewhere) expect(await postTo(world, body, where)).toEqual({ status: 404, said: null });
    expect(world.calls).toEqual([]);
  },
);

test("the page of an address that its reader has deleted leads to the address book, and that of no address to nowhere", async () => {
  const { world, templateId } = await known();
  const page = await import("../../app/routes/app.address-book.$templateId/route.tsx");
  const open = (id: string) => opened(page, { world, params: { templateId: id } });
  expect(await open(templateId)).toEqual({ status: 200, to: null });
  await postTo(world, { intent: "delete", draftId: "d-1" }, { templateId });
  expect(await open(templateId)).toEqual({ status: 302, to: "/app/address-book" });
  expect(await open("nobodys")).toEqual({ status: 404, to: null });
});

describe("a form's id", () => {
  const OTHERS = "d-others";

  /** Another shop has sent a form with this id. */
  async function taken(world: World): Promise<void> {
    await world.store.shops.insert(shopRecord({ shop: OTHER }));
    await world.store.connections.insert(connectionRecord({ id: "connection-2", shop: OTHER }));
    const theirs = {
      connectionId: "connection-2",
      operation: "create",
      templateId: null,
      draft: null,
      base: null,
    } as const;
    const times = { createdAtMs: 0, endedAtMs: null, outcome: null, staffId: null };
    await world.store.drafts.insert({ id: OTHERS, shop: OTHER, ...theirs, ...times });
  }

  test("that another shop has already is a form of its own, and tells nothing", async () => {
    const world = await createWorld();
    await taken(world);
    const save = { intent: "save", draftId: OTHERS, draft: DRAFT, base: null } as const;
    const answer = await postNew(world, save);
    const [templateId] = world.account.templates.keys();
    expect(answer).toEqual(told("save", { kind: "done", templateId }));
    // Sent again it is the same one.
    expect(await postNew(world, save)).toEqual(told("save", { kind: "done", templateId }));
    expect(world.account.templates.size).toBe(1);
    expect(await world.store.drafts.find({ id: OTHERS })).toMatchObject({ shop: OTHER, outcome: null });
  });

  test.each(["save", "delete"] as const)("so that a template is changed with it: %s", async (intent) => {
    const { world, base, templateId } = await known();
    await taken(world);
    const draft = changed({ company: "Café" });
    const body = intent === "save" ? { intent, draftId: OTHERS, draft, base } : { intent, draftId: OTHERS };
    expect(await postTo(world, body, { templateId })).toEqual(told(intent, { kind: "done", templateId }));
  });

  test("of one template's deletion deletes no other, and does not say so", async () => {
    const { world, templateId } = await known();
    const body = { intent: "delete", draftId: "d-1" } as const;
    expect(await postTo(world, body, { templateId })).toMatchObject({ status: 200 });
    expect(await postTo(world, body, { templateId: "nobodys" })).toEqual({ status: 404, said: null });
  });
});

test("what a page says of the carriers is not stored with a change, however long it is", async () => {
  const { world, base, templateId } = await known();
  const entry = { carrier_name: "x".repeat(10_000), status: "seen", update_state: null, verification_id: null };
  const shown = { ...base, verified_carriers: Array.from({ length: 50 }, () => entry) };
  const draft = changed({ reference: "Puerta azul" });
  const answer = await postTo(world, { intent: "save", draftId: "d-1", draft, base: shown }, { templateId });
  expect(answer.status).toBe(200);
  expect((await draftOf(world))!.base!.verified_carriers).toEqual([]);
  expect(there(world, templateId)).toMatchObject({ reference: "Puerta azul" });
});
