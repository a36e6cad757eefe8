import { beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../../../app/domain/secret.ts";
import type { Store, Tables, Transaction } from "../../../app/ports.ts";
import {
  connectionRecord,
  linkRecord,
  locationGid,
  receiptRecord,
  SHOP,
  shopRecord,
  workItemRecord,
} from "../../fakes/records.ts";
import { fill } from "./every-record.ts";

const REFUSED = { name: "AppError", kind: "internal" };

/**
 * What a transaction promises.
 *
 * Long, because it is one list.
 */
export function transactionsContract(store: () => Store): void {
  beforeEach(async () => {
    await store().shops.insert(shopRecord());
    await store().workItems.insert(workItemRecord({ generation: 0 }));
  });

  const generation = async (tables: Pick<Tables, "workItems">) =>
    (await tables.workItems.find({ id: "target-1" }))!.generation;

  test("what it wrote is there when it ends, and what it returned comes out", async () => {
    const result = await store().transaction(SHOP, async (tables) => {
      await tables.receipts.insert(receiptRecord());
      await tables.workItems.update({ id: "target-1" }, { generation: 1 });
      return "done";
    });
    expect(result).toBe("done");
    expect(await generation(store())).toBe(1);
    expect(await store().receipts.count({})).toBe(1);
  });

  test("it sees its own writes", async () => {
    await store().transaction(SHOP, async (tables) => {
      await tables.workItems.update({ id: "target-1" }, { generation: 5 });
      expect(await generation(tables)).toBe(5);
      await tables.workItems.delete({ id: "target-1" });
      expect(await tables.workItems.count({})).toBe(0);
    });
  });

  test("when the work throws, nothing is left and the very error comes out", async () => {
    const error = new Error("stop");
    const failing = store().transaction(SHOP, async (tables) => {
      await tables.receipts.insert(receiptRecord());
      await tables.workItems.update({ id: "target-1" }, { generation: 1 });
      await tables.workItems.insert(workItemRecord({ id: "b", key: "b" }));
      await tables.workItems.delete({ id: "target-1" });
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(await store().workItems.list({})).toEqual([workItemRecord({ generation: 0 })]);
    expect(await store().receipts.count({})).toBe(0);
  });

  test("an erased shop comes back whole when the work throws", async () => {
    await fill(store(), "two.myshopify.com");
    const failing = store().transaction(null, async (tables) => {
      await tables.shops.delete({ shop: "two.myshopify.com" });
      expect(await tables.workItems.count({ shop: "two.myshopify.com" })).toBe(0);
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(await store().shops.count({ shop: "two.myshopify.com" })).toBe(1);
    expect(await store().jobItems.count({ shop: "two.myshopify.com" })).toBe(1);
  });

  test("an insert that answers false leaves it going on", async () => {
    await store().transaction(null, async (tables) => {
      expect(await tables.workItems.insert(workItemRecord({ id: "other" }))).toBe(false);
      expect(await tables.workItems.insert(workItemRecord({ id: "other", shop: "gone.myshopify.com" }))).toBe(false);
      await tables.workItems.update({ id: "target-1" }, { generation: 3 });
    });
    expect(await generation(store())).toBe(3);
  });

  describe("of one shop", () => {
    const OTHER = "two.myshopify.com";
    beforeEach(() => fill(store(), OTHER));
    const theirs = () => store().workItems.find({ shop: OTHER });

    const foreign: [string, (tables: Transaction) => Promise<unknown>][] = [
      ["an insert", (tables) => tables.receipts.insert(receiptRecord({ shop: OTHER, webhookId: "new" }))],
      ["an update", (tables) => tables.workItems.update({ shop: OTHER }, { generation: 9 })],
      ["an update of several", (tables) => tables.workItems.update({ shop: { in: [SHOP, OTHER] } }, { generation: 9 })],
      ["a delete", (tables) => tables.workItems.delete({ shop: OTHER })],
      ["a delete of the shop", (tables) => tables.shops.delete({ shop: OTHER })],
      ["forgetting sessions", (tables) => tables.forgetSessions(OTHER)],
    ];

    test.each(foreign)("%s of another shop's fails it", async (_what, write) => {
      const before = await theirs();
      const failing = store().transaction(SHOP, async (tables) => {
        await tables.workItems.update({ id: "target-1" }, { generation: 1 });
        await write(tables);
      });
      await expect(failing).rejects.toMatchObject(REFUSED);
      expect(await theirs()).toEqual(before);
      expect(await generation(store())).toBe(0);
    });

    test("a write that names no shop finds the other's rows neither, and reading is free", async () => {
      const { id } = (await theirs())!;
      await store().transaction(SHOP, async (tables) => {
        expect(await tables.workItems.update({ id }, { generation: 9 })).toBe(0);
        expect(await tables.workItems.update({}, { generation: 1 })).toBe(1);
        expect(await tables.locations.delete({})).toBe(0);
        expect(await tables.workItems.count({ shop: OTHER })).toBe(1);
      });
      expect([await store().locations.count({ shop: OTHER }), (await theirs())!.generation]).not.toContain(9);
      expect(await store().locations.count({ shop: OTHER })).toBe(1);
    });
  });

  test("they run one after another: no increment is lost", async () => {
    const addGeneration = () =>
      store().transaction(SHOP, async (tables) => {
        await tables.workItems.update({ id: "target-1" }, { generation: (await generation(tables)) + 1 });
      });
    await Promise.all(Array.from({ length: 40 }, addGeneration));
    expect(await generation(store())).toBe(40);
  });

  test("one that fails holds none of the others back", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        store().transaction(SHOP, async (tables) => {
          await tables.receipts.insert(receiptRecord({ webhookId: `w-${index}` }));
          if (index % 2) throw new Error("odd");
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await store().receipts.count({})).toBe(5);
  });

  test("nobody outside sees the half of it", async () => {
    const { promise: inside, resolve: entered } = Promise.withResolvers<void>();
    const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
    const transaction = store().transaction(SHOP, async (tables) => {
      await tables.workItems.update({ id: "target-1" }, { generation: 1 });
      entered();
      await go;
      await tables.workItems.update({ id: "target-1" }, { generation: 2 });
    });
    await inside;
    const seen = generation(store());
    goOn();
    await transaction;
    expect([0, 2]).toContain(await seen);
  });

  test("of many who claim with the same fence at once, one does", async () => {
    const claim = () => store().workItems.update({ id: "target-1", fence: 0 }, { fence: 1, leaseOwner: "me" });
    const claimed = await Promise.all(Array.from({ length: 20 }, claim));
    expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  test("secrets are written within one, and taken back with it", async () => {
    await store().connections.insert(connectionRecord({ version: 1 }));
    await store().transaction(SHOP, async (tables) => {
      expect(
        await tables.connections.update({ id: "connection-1", version: 1 }, { accessToken: new Secret("kept") }),
      ).toBe(1);
    });
    const failing = store().transaction(SHOP, async (tables) => {
      await tables.connections.update({ id: "connection-1" }, { accessToken: new Secret("lost") });
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect((await store().connections.find({}))!.accessToken!.reveal()).toBe("kept");
  });

  test("one call that failed fails it, whoever caught that, and every call after it", async () => {
    await store().links.insert(linkRecord());
    await store().links.insert(linkRecord({ id: "link-2", locationId: locationGid(2), templateId: "template-2" }));
    const seen: unknown[] = [];
    const swallowing = store().transaction(SHOP, async (tables) => {
      await tables.workItems.update({ id: "target-1" }, { generation: 1 });
      await tables.links.update({ id: "link-2" }, { templateId: "template-1" }).catch((error) => seen.push(error));
      await tables.workItems.find({ id: "target-1" }).catch((error) => seen.push(error));
      await tables.receipts.insert(receiptRecord()).catch((error) => seen.push(error));
      await tables.forgetSessions(SHOP).catch((error) => seen.push(error));
      return "done";
    });
    await expect(swallowing).rejects.toMatchObject(REFUSED);
    expect(seen).toHaveLength(4);
    expect(seen.every((error) => error === seen[0])).toBe(true);
    expect(await generation(store())).toBe(0);
    expect(await store().receipts.count({})).toBe(0);
    await store().transaction(SHOP, (tables) => tables.workItems.update({ id: "target-1" }, { generation: 7 }));
    expect(await generation(store())).toBe(7);
  });

  test("one of every shop is alone: no increment is lost beside those of a shop", async () => {
    const raise = (shop: string | null) =>
      store().transaction(shop, async (tables) => {
        await tables.workItems.update({ id: "target-1" }, { generation: (await generation(tables)) + 1 });
      });
    await Promise.all(Array.from({ length: 30 }, (_, index) => raise(index % 3 === 0 ? null : SHOP)));
    expect(await generation(store())).toBe(30);
  });

  test("a single write of the shop waits for its transaction, as a transaction does", async () => {
    const { promise: inside, resolve: entered } = Promise.withResolvers<void>();
    const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
    const transaction = store().transaction(SHOP, async (tables) => {
      const before = await generation(tables);
      entered();
      await go;
      await tables.workItems.update({ id: "target-1" }, { generation: before + 1 });
    });
    await inside;
    const named = store().workItems.update({ id: "target-1", shop: SHOP, generation: 0 }, { generation: 50 });
    const unnamed = store().workItems.update({ id: "target-1", generation: 0 }, { generation: 60 });
    goOn();
    await transaction;
    expect(await Promise.all([named, unnamed])).toEqual([0, 0]);
    expect(await generation(store())).toBe(1);
  });

  test("inside, the store itself is refused at once instead of waiting for itself", async () => {
    await store().transaction(SHOP, async (tables) => {
      await expect(store().workItems.find({})).rejects.toMatchObject(REFUSED);
      await expect(store().workItems.insert(workItemRecord({ id: "x", key: "x" }))).rejects.toMatchObject(REFUSED);
      await expect(store().transaction(SHOP, async () => 1)).rejects.toMatchObject(REFUSED);
      await expect(store().eraseShop(SHOP)).rejects.toMatchObject(REFUSED);
      expect(await generation(tables)).toBe(0);
    });
  });

  test("work begun inside one may use the store once it is over", async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let later: Promise<number> | undefined;
    await store().transaction(SHOP, async () => {
      later = over.then(() => store().workItems.count({}));
    });
    end();
    expect(await later).toBe(1);
  });

  test("what was handed in is refused once it is over", async () => {
    let kept: Tables | undefined;
    await store().transaction(SHOP, async (tables) => {
      kept = tables;
    });
    await expect(kept!.workItems.update({ id: "target-1" }, { generation: 9 })).rejects.toMatchObject(REFUSED);
    await expect(kept!.workItems.insert(workItemRecord({ id: "x", key: "x" }))).rejects.toMatchObject(REFUSED);
    expect(await generation(store())).toBe(0);
  });

  test("erasing waits for the transaction before it, and the next one finds nothing", async () => {
    const write = store().transaction(SHOP, (tables) => tables.receipts.insert(receiptRecord()));
    const erase = store().eraseShop(SHOP);
    const late = store().transaction(SHOP, (tables) => tables.receipts.insert(receiptRecord({ webhookId: "late" })));
    expect(await Promise.all([write, erase, late])).toEqual([true, true, false]);
    expect(await store().receipts.count({})).toBe(0);
  });
}
