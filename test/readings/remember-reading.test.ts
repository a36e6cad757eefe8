import { expect, test } from "vitest";
import type { Store } from "../../app/ports.ts";
import { BUDGET_ROWS } from "../../app/readings/cache.ts";
import { readingOf, rememberReading } from "../../app/readings/remember-reading.ts";

const kind = readingOf("locations");

/** A store whose locations were written so often. */
function storeAt(revisions: Record<string, number>): Store {
  const revision: Store["revision"] = (shop, tables) => (tables.includes("locations") ? (revisions[shop] ?? 0) : 0);
  return { revision } as Store;
}

test("a reading is made once until a table of it is written, and shared by who asks meanwhile", async () => {
  const revisions = { a: 1, b: 1 };
  const store = storeAt(revisions);
  let readings = 0;
  const ofLinks = readingOf("links");
  const read = (shop: string, asked = kind) =>
    rememberReading({ store, shop, kind: asked }, async () => `${shop} ${(readings += 1)}`);

  expect(await Promise.all([read("a"), read("a"), read("b"), read("a", ofLinks)])).toEqual([
    "a 1",
    "a 1",
    "b 2",
    "a 3",
  ]);
  revisions.a += 1;
  expect(await Promise.all([read("a"), read("b"), read("a", ofLinks)])).toEqual(["a 4", "b 2", "a 3"]);
});

test("two kinds of reading never answer for each other, though they read the same tables at the same revision", async () => {
  const store = storeAt({});
  const [some, others] = [readingOf("locations"), readingOf("locations")];
  const read = (asked: typeof some, value: string) =>
    rememberReading({ store, shop: "a", kind: asked }, async () => value);
  expect([await read(some, "some"), await read(others, "others"), await read(some, "anew")]).toEqual([
    "some",
    "others",
    "some",
  ]);
});

test("what is written during a reading makes the next one anew", async () => {
  const revisions = { a: 1 };
  const store = storeAt(revisions);
  const read = (value: string) =>
    rememberReading({ store, shop: "a", kind }, async () => {
      if (value === "old") revisions.a += 1;
      return value;
    });
  expect([await read("old"), await read("new")]).toEqual(["old", "new"]);
});

test("a failed reading is not remembered, and a store that counts no writes is read each time", async () => {
  const failing = { store: storeAt({}), shop: "a", kind };
  await expect(rememberReading(failing, () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
  expect(await rememberReading(failing, async () => "well")).toBe("well");

  const plain = { ...failing, store: {} as Store };
  let readings = 0;
  const read = () => rememberReading(plain, async () => (readings += 1));
  expect([await read(), await read()]).toEqual([1, 2]);
});

/** Ten of them are the whole budget. */
const TENTH = BUDGET_ROWS / 10;

/** Readings of one store, each of so many rows, counted. */
function counting(rows: unknown, revisions: Record<string, number> = {}) {
  const store = storeAt(revisions);
  const read: string[] = [];
  return {
    read,
    ask: (shop: string) =>
      rememberReading({ store, shop, kind }, async () => {
        read.push(shop);
        return rows;
      }),
  };
}

test("what was looked at lately is kept, however many shops there are, until the rows of all fill the budget", async () => {
  const { read, ask } = counting(new Array(TENTH).fill(null));
  for (let shop = 0; shop < 30; shop += 1) {
    await ask(`shop ${shop}`);
    await ask("looked at again and again");
  }
  expect(read).toHaveLength(31);
  await ask("shop 29");
  expect(read).toHaveLength(31);
  await ask("shop 0");
  expect(read).toHaveLength(32);
});

test("small shops are kept by the thousand", async () => {
  const { read, ask } = counting([null, null, null]);
  for (let round = 0; round < 2; round += 1) for (let shop = 0; shop < 5_000; shop += 1) await ask(`shop ${shop}`);
  expect(read).toHaveLength(5_000);
});

test.each([
  ["a list", new Array(TENTH).fill(null)],
  ["a map", new Map(Array.from({ length: TENTH }, (_, index) => [index, null]))],
  ["an object's lists", { origins: new Array(TENTH / 2).fill(null), by: new Set(new Array(TENTH / 2).keys()) }],
  ["more than one entry may count for", new Array(5 * BUDGET_ROWS)],
])("the rows of %s count", async (_what, rows) => {
  const { read, ask } = counting(rows);
  await ask("first");
  await ask("first");
  for (let shop = 0; shop < 8; shop += 1) await ask(`shop ${shop}`);
  expect(read).toHaveLength(9);
  await ask("first");
  expect(read).toHaveLength(9);
  for (let shop = 8; shop < 18; shop += 1) await ask(`shop ${shop}`);
  await ask("first");
  expect(read.filter((shop) => shop === "first")).toHaveLength(2);
});

test("no shop gets another's rows, nor one store another's, whatever was made room for", async () => {
  const stores = [storeAt({}), storeAt({})];
  for (let round = 0; round < 2; round += 1)
    for (let shop = 0; shop < 12; shop += 1)
      for (const [index, store] of stores.entries())
        for (const which of ["a", "b"]) {
          const said = `${index} ${shop} ${which}`;
          const rows = await rememberReading({ store, shop: `shop ${shop}`, kind, which }, async () =>
            new Array<string>(TENTH / 4).fill(said),
          );
          expect(rows[0]).toBe(said);
        }
});

test("no row is shown that was read before a write, even where it comes after the row that was read since", async () => {
  const revisions = { a: 1 };
  const store = storeAt(revisions);
  const slow = Promise.withResolvers<string>();
  const read = (value: Promise<string>) => rememberReading({ store, shop: "a", kind }, () => value);
  const before = read(slow.promise);
  revisions.a += 1;
  expect(await read(Promise.resolve("new"))).toBe("new");
  slow.resolve("old");
  expect(await before).toBe("old");
  expect(await read(Promise.resolve("newer"))).toBe("new");
});

test("a reading that fails after a newer one began leaves the newer one", async () => {
  const revisions = { a: 1 };
  const store = storeAt(revisions);
  const slow = Promise.withResolvers<string>();
  const read = (value: Promise<string>) => rememberReading({ store, shop: "a", kind }, () => value);
  const before = read(slow.promise);
  revisions.a += 1;
  await read(Promise.resolve("new"));
  slow.reject(new Error("busy"));
  await expect(before).rejects.toThrow("busy");
  expect(await read(Promise.resolve("newer"))).toBe("new");
});
