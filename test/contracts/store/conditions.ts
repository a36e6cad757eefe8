import { beforeEach, expect, test } from "vitest";
import type { ActivityRecord, LocationRecord } from "../../../app/domain/records.ts";
import { Secret } from "../../../app/domain/secret.ts";
import type { ListOptions, Store, Where } from "../../../app/ports.ts";
import {
  activityRecord,
  connectionRecord,
  locationRecord,
  SHOP,
  shopRecord,
  workItemRecord,
  verificationRecord,
} from "../../fakes/records.ts";
import { tableOf } from "./every-record.ts";

const ROWS: Partial<ActivityRecord>[] = [
  { id: "a", atMs: 10, carrier: null, actor: "owner" },
  { id: "b", atMs: 20, carrier: "dhl", actor: "sync" },
  { id: "c", atMs: 20, carrier: "fedex", actor: "sync" },
  { id: "d", atMs: 30, carrier: null, actor: "Sync" },
  { id: "e", atMs: 40, carrier: "ups%", actor: "service" },
];

const VERY_MANY = Array.from({ length: 600 }, (_one, index) => `carrier-${index}`);

const CONDITIONS: [string, Where<ActivityRecord>, string][] = [
  ["nothing asked", {}, "abcde"],
  ["equality", { actor: "sync" }, "bc"],
  ["equality of a number", { atMs: 20 }, "bc"],
  ["null matches null", { carrier: null }, "ad"],
  ["several at once", { actor: "sync", carrier: "dhl" }, "b"],
  ["in", { id: { in: ["a", "e", "z"] } }, "ae"],
  ["in nothing", { id: { in: [] } }, ""],
  ["in with null", { carrier: { in: [null, "dhl"] } }, "abd"],
  ["in very many, repeated", { carrier: { in: [...VERY_MANY, null, "dhl", null, "dhl"] } }, "abd"],
  ["in only null", { carrier: { in: [null] } }, "ad"],
  ["not", { actor: { not: "sync" } }, "ade"],
  ["not a value: null is another", { carrier: { not: "dhl" } }, "acde"],
  ["not null", { carrier: { not: null } }, "bce"],
  ["lt", { atMs: { lt: 20 } }, "a"],
  ["lte", { atMs: { lte: 20 } }, "abc"],
  ["gt", { atMs: { gt: 20 } }, "de"],
  ["gte", { atMs: { gte: 20 } }, "bcde"],
  ["from one value on, before another", { atMs: { gte: 20, lt: 40 } }, "bcd"],
  ["from one value on, before the same", { atMs: { gte: 20, lt: 20 } }, ""],
  ["null is neither before nor after", { carrier: { lt: "zzz" } }, "bce"],
  ["text in order", { carrier: { gte: "e" } }, "ce"],
  ["wildcards are text", { carrier: "ups_" }, ""],
];

const ORDERS: [string, ListOptions<ActivityRecord>, string][] = [
  ["up", { orderBy: { atMs: "asc" } }, "abcde"],
  ["down, equal ones by their key", { orderBy: { atMs: "desc" } }, "edbca"],
  ["null first", { orderBy: { carrier: "asc" } }, "adbce"],
  ["null last", { orderBy: { carrier: "desc" } }, "ecbad"],
  ["by two", { orderBy: { actor: "asc", atMs: "desc" } }, "daebc"],
  ["limited", { orderBy: { atMs: "asc" }, limit: 2 }, "ab"],
  ["limited, down, equal ones by their key", { orderBy: { atMs: "desc" }, limit: 3 }, "edb"],
  ["limited, by two", { orderBy: { actor: "asc", atMs: "desc" }, limit: 4 }, "daeb"],
  ["a page", { orderBy: { atMs: "asc" }, limit: 2, offset: 2 }, "cd"],
  ["from an offset on", { orderBy: { atMs: "asc" }, offset: 3 }, "de"],
  ["a page beyond the end", { orderBy: { atMs: "asc" }, limit: 2, offset: 9 }, ""],
  ["no rows", { limit: 0 }, ""],
  ["pages without an order are in the key's", { limit: 3 }, "abc"],
];

export function conditionsContract(store: () => Store): void {
  beforeEach(async () => {
    await store().shops.insert(shopRecord());
    for (const row of [ROWS[3]!, ROWS[0]!, ROWS[4]!, ROWS[2]!, ROWS[1]!])
      await store().activity.insert(activityRecord(row));
  });

  const ids = (rows: ActivityRecord[]) => rows.map(({ id }) => id).join("");

  test.each(CONDITIONS)("%s: list, count, find, update and delete agree", async (_title, where, expected) => {
    const { activity } = store();
    expect(ids(await activity.list(where, { orderBy: { id: "asc" } }))).toBe(expected);
    expect(await activity.count(where)).toBe(expected.length);
    expect([...expected, undefined]).toContain((await activity.find(where))?.id);
    expect((await activity.find(where)) === null).toBe(expected === "");
    expect(await activity.update(where, { detail: "met" })).toBe(expected.length);
    expect(ids(await activity.list({ detail: "met" }, { orderBy: { id: "asc" } }))).toBe(expected);
    expect(await activity.delete(where)).toBe(expected.length);
    expect(await activity.count({})).toBe(ROWS.length - expected.length);
  });

  test.each(ORDERS)("order: %s", async (_title, options, expected) => {
    expect(ids(await store().activity.list({}, options))).toBe(expected);
  });

  test("thousands of values may be listed", async () => {
    const many = [...Array.from({ length: 5_000 }, (_, index) => `no-${index}`), "b", "d"];
    const where = { actor: { not: "owner" }, id: { in: many } };
    expect(ids(await store().activity.list(where, { orderBy: { id: "desc" }, limit: 1 }))).toBe("d");
    expect(await store().activity.count(where)).toBe(2);
    expect(await store().activity.update(where, { detail: "met" })).toBe(2);
    expect(await store().activity.delete(where)).toBe(2);
  });

  test("booleans are matched", async () => {
    await store().locations.insert(locationRecord({ locationId: "on", isActive: true }));
    await store().locations.insert(locationRecord({ locationId: "off", isActive: false }));
    const found = async (where: Where<LocationRecord>) =>
      (await store().locations.list(where)).map(({ locationId }) => locationId);
    expect(await found({ isActive: true })).toEqual(["on"]);
    expect(await found({ isActive: { not: true } })).toEqual(["off"]);
    expect(await found({ isActive: { in: [true, false] }, isFulfillmentService: true })).toEqual([]);
    expect(await found({ isActive: { in: [false] } })).toEqual(["off"]);
    expect(await found({ isActive: { in: [] } })).toEqual([]);
  });

  test("an object that is null can be asked for, one that is not cannot", async () => {
    const reason = { code: "timeout", message: null, fields: null, requestId: null, atMs: 1 } as const;
    await store().workItems.insert(workItemRecord({ id: "a", key: "a", reason }));
    await store().workItems.insert(workItemRecord({ id: "b", key: "b" }));
    expect((await store().workItems.list({ reason: null })).map(({ id }) => id)).toEqual(["b"]);
    expect((await store().workItems.list({ reason: { not: null } })).map(({ id }) => id)).toEqual(["a"]);
  });

  test.each([
    ["undefined, which would match everything", "activity", { id: undefined }],
    ["undefined within an operator", "activity", { atMs: { lt: undefined } }],
    ["an unknown field", "activity", { nothing: 1 }],
    ["an unknown operator", "activity", { atMs: { like: 1 } }],
    ["two operators in one that are no range", "activity", { atMs: { lt: 1, gt: 0 } }],
    ["a range without an end", "activity", { atMs: { gte: 1, lt: undefined } }],
    ["an order of booleans", "locations", { isActive: { gt: false } }],
    ["an order with null", "activity", { carrier: { gt: null } }],
    ["an object", "workItems", { reason: { code: "timeout" } }],
    ["a secret", "connections", { clientSecret: new Secret("x") }],
    ["a secret's text", "connections", { clientSecret: "x" }],
  ] as const)("a condition that is %s is refused", async (_title, name, where) => {
    const table = tableOf(store(), name);
    for (const ask of [
      table.find(where),
      table.list(where),
      table.count(where),
      table.delete(where),
      table.update(where, {}),
    ]) {
      await expect(ask).rejects.toMatchObject({ name: "AppError", kind: "internal" });
    }
  });

  test("a list of many comes whole, whatever the parts of its key have in common", async () => {
    const accounts = ["a", "b", "c"];
    const expected: string[] = [];
    await store().transaction(SHOP, async (tables) => {
      for (const connectionId of accounts) {
        await tables.connections.insert(connectionRecord({ id: connectionId, clientId: connectionId }));
        for (let number = 0; number < 300; number += 1) {
          const templateId = String(number % 7) + String(number);
          const verification = verificationRecord({ connectionId, templateId, carrier: number % 2 ? "dhl" : "fedex" });
          await tables.verifications.insert(verification);
          expected.push(`${connectionId} ${templateId}`);
        }
      }
    });
    const named = (rows: { connectionId: string; templateId: string }[]) =>
      rows.map(({ connectionId, templateId }) => `${connectionId} ${templateId}`).toSorted();
    expect(named(await store().verifications.list({ shop: SHOP }))).toEqual(expected.toSorted());
    expect(await store().verifications.list({ shop: SHOP, connectionId: "b" })).toHaveLength(300);
  });
}
