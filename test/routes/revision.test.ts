import { expect, test } from "vitest";
import { createRandom } from "../../app/adapters/machine/random.ts";
import { readRevision } from "../../app/pages/read-revision.ts";
import type { Store, Tables } from "../../app/ports.ts";

/** What tells an open page to read its data again. */

const SHOP = "one.myshopify.com";

/** A store in which one table was written so often. */
function writtenAt(table: keyof Tables) {
  let times = 0;
  const revision: Store["revision"] = (shop, tables) => (shop === SHOP && tables.includes(table) ? times : 0);
  return { services: servicesOf({ revision } as Store), write: () => (times += 1) };
}

const random = createRandom();
const servicesOf = (store: Store) => ({ store, random });

test.each([
  "shops",
  "connections",
  "locations",
  "details",
  "moves",
  "links",
  "templates",
  "verifications",
  "workItems",
  "drafts",
  "activity",
] as const)("a write to %s makes another word, for its own shop alone", async (table) => {
  const { services, write } = writtenAt(table);
  const [own, another] = [{ shop: SHOP }, { shop: "two.myshopify.com" }];
  const [before, others] = [await readRevision(services, own), await readRevision(services, another)];
  expect(await readRevision(services, own)).toBe(before);
  write();
  expect(await readRevision(services, own)).not.toBe(before);
  expect(await readRevision(services, another)).toBe(others);
});

test("a start of the app makes another word: where one process counts, it counts anew", async () => {
  const revision = () => 7;
  const words = [{ revision }, { revision }].map((store) =>
    readRevision(servicesOf(store as unknown as Store), { shop: SHOP }),
  );
  expect(new Set(await Promise.all(words)).size).toBe(2);
});

test("where the database counts for all processes, its word is taken as it is", async () => {
  const store = { revision: async () => "12 7" } as unknown as Store;
  expect(await readRevision(servicesOf(store), { shop: SHOP })).toBe("12 7");
});

test("a store that counts nothing has no word", async () => {
  expect(await readRevision(servicesOf({} as Store), { shop: SHOP })).toBeNull();
});
