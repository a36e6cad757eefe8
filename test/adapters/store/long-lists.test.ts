import { expect, test } from "vitest";
import { locationGid, locationRecord, shopRecord, SHOP } from "../../fakes/records.ts";
import { chunksOf } from "../../../app/domain/chunks.ts";
import type { Store } from "../../../app/ports.ts";
import { openFreshStore } from "./open-store.ts";

const LOCATIONS = 1_500;
const READERS = 8;
/** A list is read 250 rows at a time; each slice after the first waits for its turn. */
const WAITS = READERS * (LOCATIONS / 250 - 1);

async function withLocations(work: (store: Store) => Promise<void>): Promise<void> {
  const { store, close } = await openFreshStore();
  try {
    await store.shops.insert(shopRecord());
    const rows = Array.from({ length: LOCATIONS }, (_one, index) => locationRecord({ locationId: locationGid(index) }));
    for (const some of chunksOf(rows, 500)) await store.locations.insertAll(some);
    await work(store);
  } finally {
    await close();
  }
}

/** Counts how often the event loop goes round until `work` is over. */
async function roundsOf(work: Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => (isOver = true));
  return rounds;
}

test("of many who read long lists at once, one goes on in each turn", () =>
  withLocations(async (store) => {
    const readers = Array.from({ length: READERS }, async () => {
      expect(await store.locations.list({ shop: SHOP })).toHaveLength(LOCATIONS);
    });
    expect(await roundsOf(Promise.all(readers))).toBeGreaterThanOrEqual(WAITS);
  }));

test("a long list inside a transaction waits for nobody, because everybody waits for the transaction", () =>
  withLocations(async (store) => {
    const outside = Array.from({ length: READERS }, () => store.locations.list({ shop: SHOP }));
    const inside = store.transaction(SHOP, (tables) => tables.locations.list({ shop: SHOP }));
    const all = [inside.then(() => "inside"), ...outside.map((list) => list.then(() => "outside"))];
    expect(await Promise.race(all)).toBe("inside");
    await Promise.all(all);
  }));
