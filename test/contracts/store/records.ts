import { beforeEach, expect, test } from "vitest";
import { isNullable } from "../../../app/adapters/store/table-spec.ts";
import { TABLE_SPECS } from "../../../app/adapters/store/table-specs.ts";
import { isSecret, Secret } from "../../../app/domain/secret.ts";
import type { Store } from "../../../app/ports.ts";
import { connectionRecord, linkRecord, NOW_MS, SHOP, shopRecord, workItemRecord } from "../../fakes/records.ts";
import { AWKWARD_TEXT, CHILD_NAMES, CHILD_RECORDS, FULL_SHOP, tableOf, type AnyRecord } from "./every-record.ts";

/** Secrets compare by what they hold. */
const revealed = (record: AnyRecord | null) =>
  record &&
  Object.fromEntries(Object.entries(record).map(([field, value]) => [field, isSecret(value) ? value.reveal() : value]));

export function recordsContract(store: () => Store): void {
  beforeEach(() => store().shops.insert(shopRecord({ shop: SHOP })));

  test.each(CHILD_NAMES)("%s: a record comes out as it went in", async (name) => {
    const record: AnyRecord = { ...CHILD_RECORDS[name] };
    expect(await tableOf(store(), name).insert(record)).toBe(true);
    const found = await tableOf(store(), name).find({ shop: SHOP });
    expect(revealed(found)).toEqual(revealed(record));
    expect(Object.keys(found!).sort()).toEqual(Object.keys(record).sort());
  });

  test.each(CHILD_NAMES)("%s: what can be null is null when it is", async (name) => {
    const { fields } = TABLE_SPECS[name];
    const record: AnyRecord = { ...CHILD_RECORDS[name] };
    for (const [field, kind] of Object.entries(fields)) if (isNullable(kind)) record[field] = null;
    await tableOf(store(), name).insert(record);
    expect(revealed(await tableOf(store(), name).find({ shop: SHOP }))).toEqual(revealed(record));
  });

  test("a shop comes out as it went in", async () => {
    await store().shops.insert({ ...FULL_SHOP, shop: "full.myshopify.com" });
    expect(await store().shops.find({ shop: "full.myshopify.com" })).toEqual({
      ...FULL_SHOP,
      shop: "full.myshopify.com",
    });
  });

  test("a record that is not there is null, an empty list, a count of none", async () => {
    expect(await store().workItems.find({ id: "none" })).toBeNull();
    expect(await store().workItems.list({ shop: SHOP })).toEqual([]);
    expect(await store().workItems.count({})).toBe(0);
  });

  test("a change to an object that came out, or that went in, changes nothing inside", async () => {
    const link = linkRecord({ differences: [] });
    await store().links.insert(link);
    link.differences.push({
      field: "default",
      kind: "drift",
      ours: null,
      theirs: null,
      base: null,
      noticedAtMs: NOW_MS,
    });
    const once = await store().links.find({ id: link.id });
    once!.templateId = "changed";
    once!.accepted.push({ field: "default", ours: null, theirs: null });
    const choices: typeof link.choices = [];
    await store().links.update({ id: link.id }, { choices });
    choices.push({ field: "default", choice: "ours", theirs: null });
    const [again] = await store().links.list({ id: link.id });
    expect(again).toEqual(linkRecord({ differences: [] }));
  });

  test("a patch changes what it names; undefined is not named, null clears", async () => {
    await store().workItems.insert(
      workItemRecord({
        leaseOwner: "a",
        leaseUntilMs: 5,
        reason: { code: "timeout", message: null, fields: null, requestId: null, atMs: 1 },
      }),
    );
    expect(
      await store().workItems.update(
        { id: "target-1" },
        { generation: 7, leaseOwner: undefined, leaseUntilMs: null, reason: null },
      ),
    ).toBe(1);
    expect(await store().workItems.find({ id: "target-1" })).toEqual(
      workItemRecord({ generation: 7, leaseOwner: "a" }),
    );
  });

  test("a patch that names nothing counts and changes nothing", async () => {
    await store().workItems.insert(workItemRecord());
    expect(await store().workItems.update({ shop: SHOP }, { generation: undefined })).toBe(1);
    expect(await store().workItems.update({ id: "none" }, {})).toBe(0);
    expect(await store().workItems.find({ id: "target-1" })).toEqual(workItemRecord());
  });

  test("updates and deletes say how many they met", async () => {
    for (const id of ["a", "b", "c"]) await store().workItems.insert(workItemRecord({ id, key: id }));
    expect(await store().workItems.update({ shop: SHOP, id: { not: "c" } }, { failures: 1 })).toBe(2);
    expect(await store().workItems.count({ failures: 1 })).toBe(2);
    expect(await store().workItems.delete({ failures: 1 })).toBe(2);
    expect(await store().workItems.delete({ failures: 1 })).toBe(0);
    expect((await store().workItems.list({})).map(({ id }) => id)).toEqual(["c"]);
  });

  test("secrets are changed in several rows at once, each under its own conditions", async () => {
    for (const id of ["a", "b", "c"])
      await store().connections.insert(
        connectionRecord({ id, clientId: id, current: id === "a", version: id === "c" ? 2 : 1 }),
      );
    const patch = { accessToken: new Secret(AWKWARD_TEXT), clientSecret: null, version: 9 };
    expect(await store().connections.update({ shop: SHOP, version: 1 }, patch)).toBe(2);
    expect(await store().connections.update({ shop: SHOP, version: 1 }, patch)).toBe(0);
    const tokens = (await store().connections.list({}, { orderBy: { id: "asc" } })).map((one) =>
      one.accessToken?.reveal(),
    );
    expect(tokens).toEqual([AWKWARD_TEXT, AWKWARD_TEXT, undefined]);
    expect((await store().connections.find({ id: "a" }))!.clientSecret).toBeNull();
  });

  test("a text keeps no NUL, and is found by a text that has one", async () => {
    const reason = { code: "timeout", message: "a\0b", fields: null, requestId: null, atMs: 1 } as const;
    await store().workItems.insert(workItemRecord({ key: "a\0b", leaseOwner: "\0", reason }));
    expect(await store().workItems.find({ key: "\0ab" })).toMatchObject({ key: "ab", leaseOwner: "", reason });
    expect(await store().workItems.count({ key: { in: ["a\0b\0"] } })).toBe(1);
    expect(await store().workItems.count({ key: { not: "a\0b" } })).toBe(0);
    expect(await store().workItems.update({ shop: SHOP }, { leaseOwner: "c\0" })).toBe(1);
    expect(await store().workItems.count({ leaseOwner: "c" })).toBe(1);
  });

  test("a record must be whole, known and of its kinds; a patch never moves it", async () => {
    const table = tableOf(store(), "workItems");
    const { generation: _left, ...part } = workItemRecord();
    for (const bad of [
      part,
      { ...workItemRecord(), dueAtMs: 1.5 },
      { ...workItemRecord(), state: null },
      { ...workItemRecord(), more: 1 },
    ]) {
      await expect(table.insert(bad)).rejects.toMatchObject({ name: "AppError", kind: "internal" });
    }
    await table.insert({ ...workItemRecord() });
    for (const bad of [
      { id: "other" },
      { shop: "two.myshopify.com" },
      { generation: "2" },
      { dueAtMs: NaN },
      { more: 1 },
    ]) {
      await expect(table.update({ id: "target-1" }, bad)).rejects.toMatchObject({ name: "AppError", kind: "internal" });
    }
    expect(await table.find({})).toEqual(workItemRecord());
  });
}
