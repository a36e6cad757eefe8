import { describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { readAddressBook } from "../../../app/pages/read-address-book.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { connectionRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import type { Habits } from "../../fakes/shipping/habits.ts";
import { CONTACT } from "../../fakes/world.ts";
import { HOUR_MS, MINUTE_MS, staged } from "../worker/stuck-stage.ts";

/** A template's id is in capitals in some answers and not in others: it is one template, in one row. */

const DIALECTS: [string, Partial<Habits>][] = [
  ["its list", { capitalIds: ["list"] }],
  ["all but its list", { capitalIds: ["get", "create", "update", "verify"] }],
  ["the answer to a create", { capitalIds: ["create"] }],
  ["every answer", { capitalIds: ["list", "get", "create", "update", "verify"] }],
  [
    "every answer, and by nothing else,",
    { capitalIds: ["list", "get", "create", "update", "verify"], findsCapitalsAlone: true },
  ],
];

/** Every id that it gives has letters. */
const SEED = 0xabcdef01;
const TWO = "two.myshopify.com";

describe.each(DIALECTS)("where %s shows ids in capitals", (_dialect, habits) => {
  const begin = () => staged(3, { habits, seed: SEED, policies: { carriers: ["fedex"] } });

  test("each template has one row, follows its location, and is asked about", async () => {
    const stage = await begin();
    const { world, keys } = stage;
    await world.runFor(7 * HOUR_MS);
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    expect(await world.store.templates.count({ shop: SHOP })).toBe(3);
    const query = { tab: "all", search: "", page: 1 } as const;
    const book = await readAddressBook(world.services, { shop: SHOP, query });
    expect(book!.rows.map(({ location }) => location?.legacyId).toSorted()).toEqual(["1", "2", "3"]);
    await stage.change(0, "900");
    await world.runFor(MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    const { templateId } = (await world.store.links.find({ shop: SHOP, locationId: keys[0]! }))!;
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
    world.services.wake();
    await world.runFor(MINUTE_MS);
    world.account.setVerdict(world.templateOf(keys[0]!)!.id, "fedex", "approved");
    await world.runFor(HOUR_MS);
    const verdict = await world.store.verifications.find({ shop: SHOP, templateId, carrier: "fedex" });
    expect(verdict).toMatchObject({ status: "approved" });
    expect(world.account.templates.size).toBe(3);
    await world.clock.runWhile(stage.worker.stop());
  });

  test("another process that begins there loses nothing, and saves what changes within minutes", async () => {
    const stage = await begin();
    const { world } = stage;
    await world.clock.runWhile(stage.worker.stop());
    const next = world.boot({ alone: true });
    await stage.change(0, "901");
    await world.runFor(5 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("901");
    await world.runFor(7 * HOUR_MS);
    expect(await world.store.links.count({ shop: SHOP })).toBe(3);
    expect(world.account.templates.size).toBe(3);
    await world.clock.runWhile(next.worker.stop());
  });

  test("another shop of the account deletes nothing that stands for a location here", async () => {
    const stage = await begin();
    const { world, keys } = stage;
    await world.store.shops.insert(shopRecord({ shop: TWO, contact: CONTACT }));
    world.accounts.set("client-2", world.account);
    await world.store.connections.insert(connectionRecord({ id: "connection-2", shop: TWO, clientId: "client-2" }));
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: TWO, force: true }));
    const rows = await world.store.templates.list({ shop: TWO });
    expect(rows).toHaveLength(3);
    const { templateId } = rows.find(({ template }) => template.alias_name === world.templateOf(keys[0]!)!.alias_name)!;
    await world.clock.runWhile(removeTemplate(world.services, { shop: TWO, draftId: "d1", templateId }));
    await world.runFor(5 * MINUTE_MS);
    expect(world.account.templates.size).toBe(3);
    await world.clock.runWhile(stage.worker.stop());
  });
});
