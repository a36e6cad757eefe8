import { expect, test } from "vitest";
import type { Store } from "../../app/ports.ts";
import { rememberReading } from "../../app/use-cases/remember-reading.ts";

function storeAt(revisions: Record<string, number>): Store {
  return { revision: (shop: string) => revisions[shop] ?? 0 } as unknown as Store;
}

test("a reading is made once until something of the shop is written, and shared by who asks meanwhile", async () => {
  const revisions = { a: 1, b: 1 };
  const store = storeAt(revisions);
  let readings = 0;
  const read = (shop: string) =>
    rememberReading({ store, shop, what: "anything" }, async () => `${shop} ${(readings += 1)}`);

  expect(await Promise.all([read("a"), read("a"), read("b")])).toEqual(["a 1", "a 1", "b 2"]);
  revisions.a += 1;
  expect([await read("a"), await read("b")]).toEqual(["a 3", "b 2"]);
});

test("what is written during a reading makes the next one anew", async () => {
  const revisions = { a: 1 };
  const store = storeAt(revisions);
  const read = (value: string) =>
    rememberReading({ store, shop: "a", what: "anything" }, async () => {
      if (value === "old") revisions.a += 1;
      return value;
    });
  expect([await read("old"), await read("new")]).toEqual(["old", "new"]);
});

test("a failed reading is not remembered, and a store that counts no writes is read each time", async () => {
  const store = storeAt({});
  const what = { store, shop: "a", what: "anything" };
  await expect(rememberReading(what, () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
  expect(await rememberReading(what, async () => "well")).toBe("well");

  const plain = {} as Store;
  let readings = 0;
  const read = () => rememberReading({ ...what, store: plain }, async () => (readings += 1));
  expect([await read(), await read()]).toEqual([1, 2]);
});
