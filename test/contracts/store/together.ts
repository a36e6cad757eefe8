import { beforeEach, expect, test } from "vitest";
import type { RowKeys, Store, Tables, Transaction } from "../../../app/ports.ts";
import { locationGid, locationRecord, receiptRecord, SHOP, shopRecord, workItemRecord } from "../../fakes/records.ts";
import { AWKWARD_TEXT } from "./every-record.ts";

const REFUSED = { name: "AppError", kind: "internal" };
const OTHER = "two.myshopify.com";

/** What small works promise, where a store commits them together and where each is a transaction. */
export function togetherContract(store: () => Store): void {
  beforeEach(async () => {
    await store().shops.insert(shopRecord());
    await store().shops.insert(shopRecord({ shop: OTHER }));
    await store().workItems.insert(workItemRecord({ generation: 0 }));
    await store().locations.insert(locationRecord());
  });

  const rows: RowKeys = {
    receipts: [],
    locations: [{ locationId: locationGid(1) }],
    workItems: [
      { kind: "location", key: locationGid(1) },
      { kind: "told", key: locationGid(1) },
    ],
  };
  const generation = async (tables: Pick<Tables, "workItems">) =>
    (await tables.workItems.find({ id: "target-1" }))!.generation;

  const run = <T>(
    work: (tables: Transaction) => Promise<T>,
    { shop = SHOP, webhookIds = [] as string[] } = {},
  ): Promise<T> => {
    const small = { rows: { ...rows, receipts: webhookIds.map((webhookId) => ({ webhookId })) }, work };
    const { together } = store();
    return together ? together(shop, small) : store().transaction(shop, work);
  };

  const receive = (webhookId: string, shop = SHOP) =>
    run((tables) => tables.receipts.insert(receiptRecord({ shop, webhookId })), { shop, webhookIds: [webhookId] });

  test("what each of many wrote is there when it ends, and each has its own answer", async () => {
    const all = Array.from({ length: 150 }, (_, index) => ({ id: `w-${index}`, shop: index % 3 ? SHOP : OTHER }));
    const answers = all.map(async ({ id, shop }) => {
      const made = await receive(id, shop);
      return made && (await store().receipts.count({ shop, webhookId: id })) === 1;
    });
    expect(await Promise.all(answers)).toEqual(all.map(() => true));
  });

  test("of one delivery that comes many times at once, one is new", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => receive("same")));
    expect(answers).toEqual([true, ...Array.from({ length: 19 }, () => false)]);
    expect(await store().receipts.count({})).toBe(1);
  });

  test("of a shop that is not there nothing is kept", async () => {
    expect(await Promise.all([receive("w", "gone.myshopify.com"), receive("w")])).toEqual([false, true]);
    expect(await store().receipts.count({})).toBe(1);
  });

  test("they see what came before, in the order in which they came", async () => {
    const seen = Array.from({ length: 40 }, () =>
      run(async (tables) => {
        const before = await generation(tables);
        expect(await tables.workItems.update({ id: "target-1", generation: before }, { generation: before + 1 })).toBe(
          1,
        );
        return before;
      }),
    );
    expect(await Promise.all(seen)).toEqual(seen.map((_each, index) => index));
    expect(await generation(store())).toBe(40);
  });

  test("they see what a transaction of the shop wrote before, and it sees what they did", async () => {
    const raise = async (tables: Transaction) => {
      await tables.workItems.update({ id: "target-1" }, { generation: (await generation(tables)) + 1 });
    };
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? store().transaction(SHOP, raise) : run(raise))),
    );
    expect(await generation(store())).toBe(30);
  });

  test("one that throws says so with its very error, leaves nothing, and takes nobody with it", async () => {
    const error = new Error("odd");
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        run(
          async (tables) => {
            await tables.receipts.insert(receiptRecord({ webhookId: `w-${index}` }));
            await tables.workItems.update({ id: "target-1" }, { generation: (await generation(tables)) + 1 });
            if (index % 4 === 1) throw error;
          },
          { webhookIds: [`w-${index}`] },
        ),
      ),
    );
    expect(outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []))).toEqual([
      error,
      error,
      error,
    ]);
    expect(await store().receipts.count({})).toBe(9);
    expect(await generation(store())).toBe(9);
  });

  test("one that the database refuses takes nobody with it", async () => {
    const clash = run(
      async (tables) => {
        await tables.receipts.insert(receiptRecord({ webhookId: "w" }));
        await tables.workItems.insert(workItemRecord({ kind: "told" }));
        return tables.workItems.count({ kind: "told", key: locationGid(1) });
      },
      { webhookIds: ["w"] },
    );
    // The id is another work item's, so nothing is inserted.
    expect(await Promise.all([receive("a"), clash, receive("b", OTHER)])).toEqual([true, 0, true]);
    expect(await store().receipts.count({})).toBe(3);
  });

  test("one that asks for rows it did not name is done as any transaction", async () => {
    const asks: ((tables: Transaction) => Promise<unknown>)[] = [
      (tables) => tables.workItems.list({}),
      (tables) => tables.locations.find({ locationId: locationGid(2) }),
      (tables) => tables.receipts.insertAll([receiptRecord({ webhookId: "x" })]),
      (tables) => tables.shops.update({ shop: SHOP }, { revision: 7 }),
      (tables) => tables.workItems.delete({ id: "gone" }),
      (tables) => tables.activity.count({}),
    ];
    const all = asks.map((ask, index) =>
      run(
        async (tables) => {
          await tables.receipts.insert(receiptRecord({ webhookId: `w-${index}` }));
          return ask(tables);
        },
        { webhookIds: [`w-${index}`] },
      ),
    );
    expect(await Promise.all(all)).toEqual([[workItemRecord({ generation: 0 })], null, 1, 1, 0, 0]);
    expect(await store().receipts.count({})).toBe(asks.length + 1);
  });

  test("a row that one made is another's to read, and both forms of it are kept whole", async () => {
    const reason = { code: "refused_by_service", message: AWKWARD_TEXT, atMs: 1 } as never;
    const told = workItemRecord({ id: "told-1", kind: "told", leaseOwner: null, state: "blocked", reason });
    const made = run((tables) => tables.workItems.insert(told));
    const read = run((tables) => tables.workItems.list({ kind: { in: ["told", "location"] }, key: locationGid(1) }));
    const changed = run(async (tables) => {
      await tables.workItems.update({ id: "target-1" }, { reason, leaseOwner: AWKWARD_TEXT });
      await tables.workItems.update({ id: "told-1" }, { reason: null, dueAtMs: 9_007_199_254_740_000 });
      return tables.locations.update({ locationId: locationGid(1) }, { behindSinceMs: 5, name: AWKWARD_TEXT });
    });
    expect([await made, await changed]).toEqual([true, 1]);
    expect(await read).toEqual([workItemRecord({ generation: 0 }), told]);
    expect(await store().workItems.list({})).toEqual([
      workItemRecord({ generation: 0, reason, leaseOwner: AWKWARD_TEXT }),
      { ...told, reason: null, dueAtMs: 9_007_199_254_740_000 },
    ]);
    expect(await store().locations.list({})).toEqual([locationRecord({ behindSinceMs: 5, name: AWKWARD_TEXT })]);
  });

  test("one call that failed fails it, whoever caught that", async () => {
    const swallowing = run(async (tables) => {
      await tables.workItems.update({ id: "target-1" }, { generation: 1 });
      await tables.receipts.insert(receiptRecord({ shop: OTHER })).catch(() => undefined);
      return "done";
    });
    await expect(swallowing).rejects.toMatchObject(REFUSED);
    expect(await generation(store())).toBe(0);
  });

  test("inside, the store itself is refused, and what was handed in once it is over", async () => {
    let kept: Tables | undefined;
    await run(async (tables) => {
      kept = tables;
      await expect(store().workItems.find({})).rejects.toMatchObject(REFUSED);
    });
    await expect(kept!.workItems.update({ id: "target-1" }, { generation: 9 })).rejects.toMatchObject(REFUSED);
    expect(await generation(store())).toBe(0);
  });
}
