import { beforeEach, describe, expect, test } from "vitest";
import { aliasWithMarker, markerOf } from "../../../app/domain/marker.ts";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { readAddressBook } from "../../../app/pages/read-address-book.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, ServiceRequest } from "../../fakes/shipping/network.ts";
import { REPLY_LOST } from "../../fakes/shipping/outcomes.ts";
import { createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";

/**
 * Nothing is made because one listing of the address book lacks it.
 *
 * Long, because each case sets out two listings and what changed between them.
 */

let world: World;
let key: string;

const STATED = {
  environment: "test",
  clientId: "client-1",
  clientSecret: "one 1",
  scope: null,
  redirectUri: null,
} as const;
const connect = () => world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated: STATED }));
const reason = async () => (await world.workItem("location", key)).reason?.code;
const creates = () => world.calls.filter((call) => call === "create").length;
const lists = () => world.calls.filter((call) => call === "list").length;
const link = async () => (await world.store.links.find({ shop: SHOP, locationId: key }))!;

const stranger = (nth: number, alias = `Proveedor ${nth}`) => ({
  alias_name: alias,
  address_type: "from",
  address_attributes: {
    name: "Eva",
    street1: "Calle Hidalgo",
    street_number: String(nth),
    postal_code: "20000",
    country_code: "MX",
  },
});

/** As this location's template was left by an earlier installation. */
const ours = () =>
  world.account.byPerson.add({
    ...stranger(0),
    alias_name: aliasWithMarker("{name}", "Bodega 1", markerOf(SHOP, key)),
  });

/** Oldest first; twenty a page. When the second page is asked for, one of the first has gone and another one came at the end. */
function swapsWhileRead(): void {
  world.outcomeOf = (asked, request: ServiceRequest) => {
    if (asked === "list" && request.page === 2 && !swapped) {
      swapped = true;
      world.account.byPerson.remove(world.account.templates.keys().next().value!);
      world.account.byPerson.add(stranger(99));
    }
    return PROMPT;
  };
}
let swapped: boolean;

beforeEach(async () => {
  swapped = false;
  world = await createWorld({ connected: false });
  key = await world.addLocation(1);
});

describe("a create", () => {
  test("waits for a second reading of the book, which comes by itself half a minute after the first, and says so", async () => {
    const worker = world.start();
    await connect();
    await world.runFor(10_000);
    expect(world.calls).toEqual(["list"]);
    expect(await reason()).toBe("book_unconfirmed");
    expect(await readOrigin(world.services, { shop: SHOP, locationId: key })).toMatchObject({
      state: "waiting",
      held: true,
      reasonCode: "book_unconfirmed",
    });
    await world.runFor(25_000);
    expect(world.calls).toEqual(["list", "list", "create"]);
    expect(await link()).toMatchObject({ how: "created" });
    await world.runFor(3_600_000);
    expect(lists()).toBe(2);
    await world.clock.runWhile(worker.stop());
  });

  test("waits for nothing where its owner took longer to fill in the form", async () => {
    await world.store.details.update({ shop: SHOP }, { confirmedAtMs: null });
    const worker = world.start();
    await connect();
    await world.runFor(40_000);
    await world.store.details.update({ shop: SHOP }, { confirmedAtMs: world.clock.nowMs() });
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(2_000);
    expect(creates()).toBe(1);
    await world.clock.runWhile(worker.stop());
  });

  test("does not double what a listing missed while strangers changed the book", async () => {
    for (let nth = 1; nth <= 20; nth += 1) world.account.byPerson.add(stranger(nth));
    const { id } = ours();
    swapsWhileRead();
    const worker = world.start();
    await connect();
    await world.runFor(10_000);
    expect(swapped).toBe(true);
    expect(await world.store.templates.find({ templateId: id })).toBeNull();
    await world.runFor(120_000);
    expect(creates()).toBe(0);
    expect(await link()).toMatchObject({ templateId: id, how: "adopted" });
    await world.clock.runWhile(worker.stop());
  });

  test("does not double what lists were too far behind to show", async () => {
    world.outcomeOf = (asked) => (asked === "list" ? { ...PROMPT, behindMs: 25_000 } : PROMPT);
    const worker = world.start();
    const { id } = ours();
    await connect();
    await world.runFor(60_000);
    expect(creates()).toBe(0);
    expect(await link()).toMatchObject({ templateId: id, how: "adopted" });
    await world.clock.runWhile(worker.stop());
  });

  test("is not made on what was listed over an account that was put aside since", async () => {
    const worker = world.start();
    await connect();
    await world.runFor(60_000);
    expect(creates()).toBe(1);
    await world.store.connections.update({ shop: SHOP }, { current: false, state: "aside" });
    await connect();
    const connection = await world.store.connections.find({ shop: SHOP, current: true });
    expect(connection).toMatchObject({ bookConfirmedAtMs: null });
    await world.clock.runWhile(worker.stop());
  });
});

describe("a book that strangers change all day", () => {
  const every = (ms: number, change: () => void) => {
    const again = () => world.clock.after(ms, () => (change(), again()));
    again();
  };

  test.each([
    ["add one every 20 s", 70_000, () => void world.account.byPerson.add(stranger(1))],
    [
      "add one and delete one every 20 s",
      180_000,
      () => {
        world.account.byPerson.add(stranger(1));
        world.account.byPerson.remove(world.account.templates.keys().next().value!);
      },
    ],
  ])("%s: holds no create for long", async (_title, withinMs, change) => {
    for (let nth = 1; nth <= 30; nth += 1) world.account.byPerson.add(stranger(nth));
    every(20_000, change);
    const worker = world.start();
    await connect();
    await world.runFor(withinMs);
    expect(creates()).toBe(1);
    await world.clock.runWhile(worker.stop());
  });
});

describe("a create whose end is unclear", () => {
  let met = false;
  /** The answer is lost; the template is there. */

  beforeEach(async () => {
    met = false;
    for (let nth = 1; nth <= 20; nth += 1) world.account.byPerson.add(stranger(nth));
  });

  test("is not repeated because the listing after its quarantine misses what it made", async () => {
    const worker = world.start();
    world.outcomeOf = (asked) => (asked === "create" && !met ? ((met = true), REPLY_LOST) : PROMPT);
    await connect();
    await world.runFor(60_000);
    expect(met).toBe(true);
    const made = world.templateOf(key)!.id;
    swapsWhileRead();
    await world.runFor(240_000);
    expect(swapped).toBe(true);
    expect(creates()).toBe(1);
    expect(await link()).toMatchObject({ templateId: made, how: "created" });
    await world.clock.runWhile(worker.stop());
  });

  test("is cleared up by what a listing has shown already, where the list fails by then", async () => {
    const worker = world.start();
    world.outcomeOf = (asked) => (asked === "create" && !met ? ((met = true), REPLY_LOST) : PROMPT);
    await connect();
    for (let waited = 0; !met && waited < 60; waited += 1) await world.runFor(1_000);
    const made = world.templateOf(key)!.id;
    await world.runFor(35_000);
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    const FAILS: CallOutcome = { ...PROMPT, answer: { kind: "said", status: 500, body: "{}", afterMs: 20 } };
    world.outcomeOf = (asked) => (asked === "list" ? FAILS : PROMPT);
    await world.runFor(240_000);
    expect(creates()).toBe(1);
    expect(await link()).toMatchObject({ templateId: made, how: "created" });
    await world.clock.runWhile(worker.stop());
  });

  test("of many locations is cleared up by the same few listings", async () => {
    for (let number = 2; number <= 12; number += 1) await world.addLocation(number);
    const never: CallOutcome = { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "silence" } };
    const worker = world.start();
    world.outcomeOf = (asked) => (asked === "create" && world.clock.nowMs() < endsAtMs ? never : PROMPT);
    const endsAtMs = world.clock.nowMs() + 120_000;
    await connect();
    await world.runFor(130_000);
    const before = lists();
    await world.runFor(400_000);
    expect(await world.store.links.count({ shop: SHOP })).toBe(12);
    // Two pages a listing, and a probe now and then; each for itself they would need 48.
    expect(lists() - before).toBeLessThanOrEqual(30);
    await world.clock.runWhile(worker.stop());
  });

  describe("while its owner links another template", () => {
    async function linkAnother(outcome: CallOutcome) {
      const other = world.account.byPerson.add(stranger(50, "Otra"));
      const worker = world.start();
      world.outcomeOf = (asked) => (asked === "create" && !met ? ((met = true), outcome) : PROMPT);
      await connect();
      await world.runFor(15_000);
      await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
      for (let waited = 0; !met && waited < 60; waited += 1) await world.runFor(1_000);
      expect(met).toBe(true);
      await world.clock.runWhile(
        linkOrigin(world.services, {
          shop: SHOP,
          locationId: key,
          templateId: other.id,
          templateVersion: versionOf(other),
        }),
      );
      await world.runFor(240_000);
      await world.clock.runWhile(worker.stop());
      return other;
    }

    async function expectShown(made: string, otherId: string) {
      expect(await link()).toMatchObject({ templateId: otherId });
      const query = { tab: "orphan", search: "", page: 1 } as const;
      const book = await readAddressBook(world.services, { shop: SHOP, query });
      expect(book!.rows).toMatchObject([{ templateId: made, ownership: "orphan" }]);
      expect(await world.store.activity.list({ shop: SHOP, kind: "template_extra" })).toMatchObject([
        { locationId: key, templateId: made },
      ]);
      expect(world.account.templates.has(made)).toBe(true);
      expect(world.calls).not.toContain("delete");
    }

    test("what it made is shown as left over, told, and never deleted", async () => {
      const other = await linkAnother(REPLY_LOST);
      const made = [...world.account.templates.values()].findLast(({ id }) => id !== other.id)!.id;
      await expectShown(made, other.id);
    });

    test("the same where its answer came after all", async () => {
      const other = await linkAnother({ ...PROMPT, answer: { kind: "true", afterMs: 5_000 } });
      const made = [...world.account.templates.values()].findLast(({ id }) => id !== other.id)!.id;
      await expectShown(made, other.id);
      expect(await world.workItem("location", key)).toMatchObject({ state: "active", reason: null });
    });
  });
});
