import { describe, expect, test } from "vitest";
import { storeContract } from "../contracts/store.ts";
import { createMemoryDatabase, createMemoryStore } from "./memory-store.ts";
import { SHOP, shopRecord, workItemRecord } from "./records.ts";

storeContract("in memory", async () => ({ store: createMemoryStore(), close: async () => undefined }));

describe("a process that crashes", () => {
  const never = async (promise: Promise<unknown>) => {
    const waited = await Promise.race([
      promise.then(
        () => "answered",
        () => "failed",
      ),
      new Promise((resolve) => setTimeout(resolve, 5, "nothing")),
    ]);
    expect(waited).toBe("nothing");
  };

  test("leaves nothing of its open transaction, and another goes on", async () => {
    const database = createMemoryDatabase();
    const [dying, living] = [database.open(), database.open()];
    await living.shops.insert(shopRecord());
    let asked: Promise<unknown> | undefined;
    const transaction = dying.transaction(SHOP, async (tables) => {
      await tables.workItems.insert(workItemRecord());
      dying.crash();
      asked = tables.workItems.count({});
      await asked;
    });
    const after = living.transaction(SHOP, (tables) => tables.workItems.count({}));
    expect(await after).toBe(0);
    await never(transaction);
    await never(asked!);
    await never(dying.shops.find({}));
    expect(await living.shops.count({})).toBe(1);
  });

  test("keeps what it had committed", async () => {
    const database = createMemoryDatabase();
    const dying = database.open();
    await dying.shops.insert(shopRecord());
    dying.crash();
    expect(await database.open().shops.count({})).toBe(1);
  });

  test("outside a transaction it disturbs nobody's", async () => {
    const database = createMemoryDatabase();
    const [dying, living] = [database.open(), database.open()];
    await living.transaction(SHOP, async (tables) => {
      await tables.shops.insert(shopRecord());
      dying.crash();
      await tables.workItems.insert(workItemRecord());
    });
    expect(await living.workItems.count({})).toBe(1);
  });
});
