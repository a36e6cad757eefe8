import { describe, expect, test } from "vitest";
import type { AddressTemplate, UnreadableRow } from "../../../app/domain/records.ts";
import type { Services } from "../../../app/ports.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { MOST_STATEMENTS, countStatements } from "../../fakes/counted-store.ts";
import { SHOP, addressTemplate, linkRecord, locationGid, templateRecord, workItemRecord } from "../../fakes/records.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { claimWorkItem } from "../../../app/runs/claim.ts";

/** One shop's whole book is kept in short transactions: while one is open, no other shop's page and no webhook is answered. */

const MANY = 300;

const templateId = (nth: number) => `template-${nth}`;

function templates(carriers: string[]): AddressTemplate[] {
  const entry = (carrier_name: string) => ({
    carrier_name,
    status: "verified",
    update_state: null,
    verification_id: null,
  });
  return Array.from({ length: MANY }, (_one, nth) =>
    addressTemplate({ id: templateId(nth), alias_name: `Sucursal ${nth}`, verified_carriers: carriers.map(entry) }),
  );
}

/** The same world on a counted store; its book is there at once. */
function counted(world: World, listed: AddressTemplate[], unreadable: UnreadableRow[] = []) {
  const count = countStatements(world.store);
  const { shipping } = world.services;
  const services: Services = {
    ...world.services,
    store: count.store,
    shipping: {
      ...shipping,
      account: (ref) => ({
        ...shipping.account(ref),
        listAll: async () => ({ templates: listed, unreadable }),
      }),
    },
  };
  return { services, count };
}

async function linkAll(world: World): Promise<void> {
  for (let nth = 0; nth < MANY; nth += 1) {
    const own = { id: `link-${nth}`, locationId: locationGid(nth + 1), templateId: templateId(nth) };
    await world.store.links.insert(linkRecord(own));
    await world.store.templates.insert(
      templateRecord({ templateId: templateId(nth), template: templates([])[nth]!, reading: 0 }),
    );
  }
}

async function lookAtEverything(world: World, services: Services): Promise<void> {
  const { workItemId } = await world.requestWork("reconcile", "shop");
  const item = await claimWorkItem(services, { workItemId, shop: SHOP, owner: "test" });
  await world.clock.runWhile(services.runWorkItem(services, { item: item! }));
}

describe("no transaction is long when", () => {
  test("a book is read for the first time, with what its carriers say", async () => {
    const world = await createWorld();
    const { services, count } = counted(world, templates(["fedex", "dhl", "estafeta", "ups"]));
    await world.clock.runWhile(refreshAddressBook(services, { shop: SHOP, force: true }));
    expect(await world.store.templates.count({ shop: SHOP })).toBe(MANY);
    expect(await world.store.verifications.count({ shop: SHOP })).toBe(4 * MANY);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("everything in it that stands for a location has changed", async () => {
    const world = await createWorld();
    await linkAll(world);
    const moved = templates([]).map((template) => ({ ...template, address_type: "return" }));
    const { services, count } = counted(world, moved);
    await world.clock.runWhile(refreshAddressBook(services, { shop: SHOP, force: true }));
    expect(await world.store.workItems.count({ shop: SHOP, kind: "location" })).toBe(MANY);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("it is suddenly empty, and then whole again", async () => {
    const world = await createWorld();
    await linkAll(world);
    const empty = counted(world, []);
    await world.clock.runWhile(refreshAddressBook(empty.services, { shop: SHOP, force: true }));
    expect(await world.store.workItems.count({ shop: SHOP, kind: "location" })).toBe(MANY);
    expect(await world.store.templates.count({ shop: SHOP, unlistedSinceMs: null })).toBe(0);
    expect(empty.count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
    const whole = counted(world, templates([]));
    await world.clock.runWhile(refreshAddressBook(whole.services, { shop: SHOP, force: true }));
    expect(await world.store.templates.count({ shop: SHOP, unlistedSinceMs: null })).toBe(MANY);
    expect(whole.count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("all of it is proved to be gone", async () => {
    const world = await createWorld();
    await linkAll(world);
    await world.store.links.delete({ shop: SHOP });
    const { services, count } = counted(world, []);
    for (let look = 0; look < 3; look += 1) {
      await world.clock.runWhile(refreshAddressBook(services, { shop: SHOP, force: true }));
      await world.clock.runFor(60_000);
    }
    expect(await world.store.templates.count({ shop: SHOP })).toBe(0);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("the book is proved to be whole, and all the locations waited for that", async () => {
    const world = await createWorld();
    await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
    const nowMs = world.clock.nowMs();
    const reason = { code: "book_unconfirmed", message: null, fields: null, requestId: null, atMs: nowMs } as const;
    for (let nth = 0; nth < MANY; nth += 1) {
      const own = { id: `item-${nth}`, key: locationGid(nth + 1), dueAtMs: nowMs + 3_600_000 };
      await world.store.workItems.insert(workItemRecord({ ...own, reason, pendingSinceMs: nowMs }));
    }
    const { services, count } = counted(world, templates([]));
    for (let look = 0; look < 2; look += 1) {
      await world.clock.runWhile(refreshAddressBook(services, { shop: SHOP, force: true }));
      await world.clock.runFor(60_000);
    }
    expect(await world.store.workItems.count({ shop: SHOP, dueAtMs: { lte: world.clock.nowMs() } })).toBe(MANY);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("all locations are gone from Shopify", async () => {
    const world = await createWorld();
    for (let nth = 1; nth <= MANY; nth += 1) {
      const { locationId, ...address } = shopifyLocation(nth);
      await world.store.locations.insert({
        ...address,
        locationId,
        shop: SHOP,
        postal: null,
        deletedAtMs: null,
        absentSinceMs: null,
        shopifyToldMs: null,
        behindSinceMs: null,
        readAtMs: world.clock.nowMs(),
      });
    }
    const { services, count } = counted(world, []);
    await lookAtEverything(world, services);
    expect(await world.store.workItems.count({ shop: SHOP, kind: "location" })).toBe(MANY);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("all locations have moved in Shopify", async () => {
    const world = await createWorld();
    for (let nth = 1; nth <= MANY; nth += 1) {
      const there = shopifyLocation(nth);
      await world.store.locations.insert({
        ...there,
        name: "as it was",
        shop: SHOP,
        postal: null,
        deletedAtMs: null,
        absentSinceMs: null,
        shopifyToldMs: null,
        behindSinceMs: null,
        readAtMs: world.clock.nowMs(),
      });
      world.shopify.put(SHOP, there);
    }
    const { services, count } = counted(world, []);
    await lookAtEverything(world, services);
    expect(await world.store.locations.count({ shop: SHOP, name: "as it was" })).toBe(0);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });
});

describe("a book of which the reading takes minutes", () => {
  test("is read once or twice, however many press, and each is answered within seconds", async () => {
    const world = await createWorld();
    let readings = 0;
    const { services } = counted(world, []);
    const { account } = services.shipping;
    const slow: Services = {
      ...services,
      shipping: {
        ...services.shipping,
        account: (ref) => ({
          ...account(ref),
          listAll: async () => {
            readings += 1;
            await world.clock.sleep(120_000);
            return { templates: templates([]), unreadable: [] };
          },
        }),
      },
    };
    const startedMs = world.clock.nowMs();
    const ask = async (force: boolean) => {
      const said = await refreshAddressBook(slow, { shop: SHOP, force, waitMs: 4_000 });
      return `${said} after ${Math.round((world.clock.nowMs() - startedMs) / 1_000)} s`;
    };
    const answers: string[] = [];
    for (let press = 0; press < 40; press += 1) void ask(true).then((answer) => answers.push(answer));
    await world.clock.runFor(5_000);
    expect(answers).toEqual(Array.from({ length: 40 }, () => "under_way after 4 s"));
    // The first of the two has ended, and the one that the presses asked for has not.
    await world.clock.runFor(120_000);
    void ask(false).then((answer) => answers.push(answer));
    await world.clock.runFor(5_000);
    expect(answers.at(-1)).toBe("under_way after 129 s");
    await world.clock.runFor(115_000);
    void ask(false).then((answer) => answers.push(answer));
    await world.clock.runFor(1_000);
    expect(answers.at(-1)).toBe("fresh after 245 s");
    expect(readings).toBe(2);
  });
});

test("rows that cannot be read are looked at one by one, though the process ends as soon as the book is kept", async () => {
  const world = await createWorld();
  await linkAll(world);
  const rows = templates([]).map(({ id, alias_name: name }) => ({
    id,
    name,
    what: "no_address" as const,
    requestId: "request-1",
  }));
  const { services } = counted(world, [], rows);
  const { store } = services;
  let isKept = false;
  const dying: Services = {
    ...services,
    store: {
      ...store,
      transaction: async (shop, work) => {
        if (isKept) throw new Error("the process ended");
        return store.transaction(shop, async (tables) => {
          const done = await work(tables);
          isKept = (await tables.connections.find({ shop: SHOP, current: true }))!.bookUnreadable.length > 0;
          return done;
        });
      },
    },
  };
  await world.clock.runWhile(refreshAddressBook(dying, { shop: SHOP, force: true }).catch(() => undefined));
  expect(isKept).toBe(true);
  expect(await world.store.workItems.count({ shop: SHOP, kind: "location" })).toBe(MANY);
});
