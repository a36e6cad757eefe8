import { expect, test } from "vitest";
import type { Store } from "../../app/ports.ts";
import { rememberReading } from "../../app/readings/remember-reading.ts";
import type { Remembered } from "../../app/readings/remember-reading.ts";

const of = ["locations"] as const;
const what = "anything";

/** A store whose locations were written so often. */
function storeAt(revisions: Record<string, number>): Store {
  const revision: Store["revision"] = (shop, tables) => (tables.includes("locations") ? (revisions[shop] ?? 0) : 0);
  return { revision } as Store;
}

test("a reading is made once until a table of it is written, and shared by who asks meanwhile", async () => {
  const revisions = { a: 1, b: 1 };
  const store = storeAt(revisions);
  let readings = 0;
  const read = (shop: string, tables: Remembered["of"] = of) =>
    rememberReading(
      { store, shop, of: tables, what: `${what} ${tables.join()}` },
      async () => `${shop} ${(readings += 1)}`,
    );

  expect(await Promise.all([read("a"), read("a"), read("b"), read("a", ["links"])])).toEqual([
    "a 1",
    "a 1",
    "b 2",
    "a 3",
  ]);
  revisions.a += 1;
  expect(await Promise.all([read("a"), read("b"), read("a", ["links"])])).toEqual(["a 4", "b 2", "a 3"]);
});

test("what is written during a reading makes the next one anew", async () => {
  const revisions = { a: 1 };
  const store = storeAt(revisions);
  const read = (value: string) =>
    rememberReading({ store, shop: "a", of, what }, async () => {
      if (value === "old") revisions.a += 1;
      return value;
    });
  expect([await read("old"), await read("new")]).toEqual(["old", "new"]);
});

test("a failed reading is not remembered, and a store that counts no writes is read each time", async () => {
  const failing = { store: storeAt({}), shop: "a", of, what };
  await expect(rememberReading(failing, () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
  expect(await rememberReading(failing, async () => "well")).toBe("well");

  const plain = { ...failing, store: {} as Store };
  let readings = 0;
  const read = () => rememberReading(plain, async () => (readings += 1));
  expect([await read(), await read()]).toEqual([1, 2]);
});

test("the shops looked at lately are kept, however many there are", async () => {
  const store = storeAt({});
  let readings = 0;
  const read = (shop: string) => rememberReading({ store, shop, of, what }, async () => (readings += 1));
  for (let shop = 0; shop < 100; shop += 1) {
    await read(`shop ${shop}`);
    await read("looked at again and again");
  }
  expect(readings).toBe(101);
  await read("shop 99");
  expect(readings).toBe(101);
  await read("shop 0");
  expect(readings).toBe(102);
});
