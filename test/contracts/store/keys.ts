import { beforeEach, expect, test } from "vitest";
import type { Store } from "../../../app/ports.ts";
import {
  linkRecord,
  locationGid,
  receiptRecord,
  SHOP,
  shopRecord,
  workItemRecord,
  jobItemRecord,
} from "../../fakes/records.ts";
import { CHILD_NAMES, CHILD_RECORDS, fill, forShop, tableOf, type AnyRecord } from "./every-record.ts";

const OTHER = "two.myshopify.com";

/** Each unique key of the port, as a change to the record that leaves only this key equal. */
const TAKEN: [keyof typeof CHILD_RECORDS, string, AnyRecord][] = [
  ["connections", "id", { clientId: "another" }],
  ["connections", "shop, environment, clientId", { id: "another" }],
  ["locations", "shop, locationId", { name: "another" }],
  ["details", "shop, locationId", { revision: 9 }],
  ["links", "id", { connectionId: "another", templateId: "another" }],
  ["links", "connectionId, locationId", { id: "another", templateId: "another" }],
  ["links", "environment, templateId", { id: "another", connectionId: "another" }],
  ["templates", "connectionId, templateId", { readAtMs: 1 }],
  ["verifications", "connectionId, templateId, carrier", { polls: 5 }],
  ["workItems", "id", { key: "another" }],
  ["workItems", "shop, kind, key", { id: "another" }],
  ["pendingWrites", "id", { workItemId: "another" }],
  ["pendingWrites", "workItemId", { id: "another", templateId: null }],
  ["pendingWrites", "connectionId, templateId", { id: "another", workItemId: "another" }],
  ["receipts", "shop, webhookId", { receivedAtMs: 9 }],
  ["drafts", "id", { operation: "delete" }],
  ["activity", "id", { kind: "another" }],
  ["jobs", "id", { kind: "verify" }],
  ["connections", "the shop's current one", { id: "another", clientId: "another" }],
  ["jobs", "the shop's running one", { id: "another" }],
  ["jobItems", "jobId, locationId", { generation: 9 }],
  ["moves", "shop, locationId", { hour: null }],
  ["flowOrigins", "shop, locationId", { seen: { refused: [], ready: false, needs: null, changed: [] } }],
  ["flowEvents", "id", { number: 9 }],
];

const FREE: [keyof typeof CHILD_RECORDS, string, AnyRecord][] = [
  ["connections", "the other environment", { id: "another", environment: "production", current: false }],
  ["connections", "one that is not current", { id: "another", clientId: "another", current: false }],
  ["connections", "another shop's current one", { id: "another", shop: OTHER }],
  ["jobs", "one that has ended", { id: "another", state: "done", endedAtMs: 9 }],
  ["jobs", "another shop's running one", { id: "another", shop: OTHER }],
  ["pendingWrites", "another template", { id: "another", workItemId: "another", templateId: "another" }],
  [
    "links",
    "the same template id in the other environment",
    { id: "another", connectionId: "another", environment: "production" },
  ],
  ["templates", "the same template on another connection", { connectionId: "another" }],
  ["verifications", "another carrier", { carrier: "estafeta" }],
  ["workItems", "another kind for the same key", { id: "another", kind: "template" }],
  ["jobItems", "the same location in another job", { jobId: "another" }],
];

export function keysContract(store: () => Store): void {
  beforeEach(async () => {
    await store().shops.insert(shopRecord());
    await store().shops.insert(shopRecord({ shop: OTHER }));
  });

  test.each(TAKEN)("%s: [%s] is taken once; the row that has it stays as it is", async (name, _key, change) => {
    const table = tableOf(store(), name);
    const record = CHILD_RECORDS[name];
    expect(await table.insert({ ...record })).toBe(true);
    const before = await table.list({});
    expect(await table.insert({ ...record, ...change })).toBe(false);
    expect(await table.list({})).toEqual(before);
  });

  test("of many records at once those are inserted whose key is free, each kind of value as it was", async () => {
    const rows = Array.from({ length: 300 }, (_one, nth) =>
      jobItemRecord({
        locationId: `place-${nth}`,
        confirmed: nth % 2 ? { linkId: `link-${nth}` } : null,
        workItemId: null,
      }),
    );
    const { jobItems } = store();
    expect(await jobItems.insert(rows[7]!)).toBe(true);
    expect(await jobItems.insertAll([...rows, rows[8]!])).toBe(299);
    const kept = await jobItems.list({}, { orderBy: { locationId: "asc" } });
    expect(kept).toEqual(rows.toSorted((one, other) => (one.locationId < other.locationId ? -1 : 1)));
    expect(await jobItems.insertAll([])).toBe(0);
    expect(await jobItems.insertAll([jobItemRecord({ shop: "gone.myshopify.com" })])).toBe(0);
    const inside = store().transaction(SHOP, (tables) => tables.jobItems.insertAll([jobItemRecord({ shop: OTHER })]));
    await expect(inside).rejects.toThrow("writes only rows of that shop");
  });

  test.each(FREE)("%s: %s is another key", async (name, _key, change) => {
    const table = tableOf(store(), name);
    await table.insert({ ...CHILD_RECORDS[name] });
    expect(await table.insert({ ...CHILD_RECORDS[name], ...change })).toBe(true);
  });

  test("a shop is there once", async () => {
    expect(await store().shops.insert(shopRecord({ timeZone: "another" }))).toBe(false);
  });

  test("a template is linked once an environment, whichever shop or connection asks", async () => {
    await store().links.insert(linkRecord());
    const theirs = linkRecord({ id: "theirs", shop: OTHER, connectionId: "theirs", locationId: locationGid(9) });
    expect(await store().links.insert(theirs)).toBe(false);
    expect(await store().links.insert({ ...theirs, environment: "production" })).toBe(true);
  });

  test("the same webhook id of two shops is two receipts", async () => {
    await store().receipts.insert(receiptRecord());
    expect(await store().receipts.insert(receiptRecord({ shop: OTHER }))).toBe(true);
  });

  test("of many who insert the same key at once, one does", async () => {
    const asked = Array.from({ length: 20 }, (_, index) =>
      store().workItems.insert(workItemRecord({ id: `target-${index}` })),
    );
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
  });

  test("an update that takes a taken key throws and changes nothing", async () => {
    await store().links.insert(linkRecord());
    await store().links.insert(linkRecord({ id: "link-2", locationId: locationGid(2), templateId: "template-2" }));
    const taking = store().links.update({ id: "link-2" }, { templateId: "template-1", how: "chosen" });
    await expect(taking).rejects.toMatchObject({ name: "AppError", kind: "internal" });
    const free = store().links.update({ id: "link-2" }, { templateId: "template-3" });
    expect(await free).toBe(1);
    expect(await store().links.find({ id: "link-2" })).toMatchObject({ templateId: "template-3", how: "created" });
  });

  test.each(CHILD_NAMES)("%s: nothing is inserted for a shop that is not there", async (name) => {
    expect(await tableOf(store(), name).insert(forShop(CHILD_RECORDS[name], "gone.myshopify.com"))).toBe(false);
    expect(await tableOf(store(), name).count({})).toBe(0);
  });

  test("erasing a shop takes all of it and nothing of another", async () => {
    await fill(store());
    await fill(store(), OTHER);
    const theirs = await Promise.all(CHILD_NAMES.map((name) => tableOf(store(), name).count({ shop: OTHER })));
    expect(theirs).toEqual(CHILD_NAMES.map(() => 1));
    await store().eraseShop(SHOP);
    for (const name of CHILD_NAMES) {
      expect([name, await tableOf(store(), name).count({ shop: SHOP })]).toEqual([name, 0]);
      expect([name, await tableOf(store(), name).count({ shop: OTHER })]).toEqual([name, 1]);
    }
    expect((await store().shops.list({})).map(({ shop }) => shop)).toEqual([OTHER]);
  });

  test("a shop is erased only if its row is as it is said to be", async () => {
    await fill(store());
    await store().shops.update({ shop: SHOP }, { uninstalledAtMs: 5 });
    expect(await store().eraseShop(SHOP, { uninstalledAtMs: 4 })).toBe(false);
    expect(await store().eraseShop(SHOP, { uninstalledAtMs: null })).toBe(false);
    expect(await store().shops.count({ shop: SHOP })).toBe(1);
    expect(await store().eraseShop(SHOP, { uninstalledAtMs: 5 })).toBe(true);
    expect(await store().shops.count({ shop: SHOP })).toBe(0);
    expect(await store().eraseShop(SHOP, { uninstalledAtMs: 5 })).toBe(false);
  });

  test("after a shop is erased, late writes do nothing", async () => {
    await fill(store());
    await store().eraseShop(SHOP);
    await store().transaction(SHOP, async (tables) => {
      for (const name of CHILD_NAMES) {
        expect(await tableOf(tables, name).insert({ ...CHILD_RECORDS[name] })).toBe(false);
        expect(await tableOf(tables, name).update({ shop: SHOP }, {})).toBe(0);
      }
    });
    expect(await store().workItems.update({ id: "target-1", fence: 0 }, { observedGeneration: 1 })).toBe(0);
    expect(await store().workItems.delete({ id: "target-1" })).toBe(0);
  });

  test("deleting the shop's own row takes the rest too", async () => {
    await fill(store());
    expect(await store().shops.delete({ shop: SHOP })).toBe(1);
    for (const name of CHILD_NAMES) expect(await tableOf(store(), name).count({})).toBe(0);
  });

  test("erasing a shop that is not there, and forgetting its sessions, does nothing", async () => {
    await store().eraseShop("gone.myshopify.com");
    await store().transaction(null, (tables) => tables.forgetSessions("gone.myshopify.com"));
    expect(await store().shops.count({})).toBe(2);
  });
}
