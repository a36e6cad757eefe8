import fc from "fast-check";
import { expect, test } from "vitest";
import type { Store, Tables } from "../../../app/ports.ts";
import { linkRecord, shopRecord, workItemRecord } from "../../fakes/records.ts";
import { createMemoryStore } from "../../fakes/memory-store.ts";
import type { OpenStore } from "../../contracts/store.ts";
import { tableOf, type AnyRecord } from "../../contracts/store/every-record.ts";
import { openFreshStore } from "./open-store.ts";
import { sharedPostgres } from "./postgresql/open-postgres.ts";

/** Whatever is asked of both stores, in whatever order, they answer alike; few keys and shops, so that they meet often. */

type Step =
  | { ask: "insert"; table: "shops" | "workItems" | "links"; record: AnyRecord }
  | { ask: "update"; table: "workItems" | "links"; where: AnyRecord; patch: AnyRecord }
  | { ask: "delete"; table: "shops" | "workItems" | "links"; where: AnyRecord }
  | { ask: "list"; table: "workItems" | "links"; where: AnyRecord; options: AnyRecord }
  | { ask: "erase"; shop: string };

const shop = fc.constantFrom("a.myshopify.com", "b.myshopify.com");
const id = fc.constantFrom("1", "2", "3");
const number = fc.integer({ min: 0, max: 3 });
const nullable = fc.option(number);

const condition = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    value,
    fc.record({ not: value }),
    fc.record({ in: fc.array(value, { maxLength: 3 }) }),
    value.map((one) => (one === null ? null : { lte: one })),
    value.map((one) => (one === null ? { not: null } : { gt: one })),
  );

const patch = fc.record({ generation: number, fence: number, leaseUntilMs: nullable, key: id }, { requiredKeys: [] });
const where = fc.record(
  { shop, id, generation: condition(number), leaseUntilMs: condition(nullable) },
  { requiredKeys: [] },
);
const linkWhere = fc.record(
  { shop, templateId: condition(id), missingSinceMs: condition(nullable) },
  { requiredKeys: [] },
);
const options = fc.record({
  orderBy: fc.constantFrom<AnyRecord>(
    { id: "asc" },
    { leaseUntilMs: "desc", id: "asc" },
    { generation: "asc" },
    { generation: "desc", leaseUntilMs: "asc" },
  ),
  limit: fc.option(number, { nil: undefined }),
  offset: fc.option(number, { nil: undefined }),
});
const linkOptions = fc.record({
  orderBy: fc.constantFrom<AnyRecord>({ missingSinceMs: "asc" }, { templateId: "desc" }),
  limit: fc.constant(9),
});

const workItem = fc
  .record({ id, shop, key: id, generation: number, leaseUntilMs: nullable })
  .map((over) => ({ ...workItemRecord(over) }));
const link = fc
  .record({ id, shop, connectionId: id, locationId: id, templateId: id, missingSinceMs: nullable })
  .map((over) => ({ ...linkRecord(over) }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ask: fc.constant("insert" as const),
      table: fc.constant("workItems" as const),
      record: workItem,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ ask: fc.constant("insert" as const), table: fc.constant("links" as const), record: link }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: fc.constant("insert" as const),
      table: fc.constant("shops" as const),
      record: shop.map((one) => ({ ...shopRecord({ shop: one }) })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ask: fc.constant("update" as const),
      table: fc.constant("workItems" as const),
      where,
      patch,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ask: fc.constant("update" as const),
      table: fc.constant("links" as const),
      where: linkWhere,
      patch: id.map((templateId) => ({ templateId })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ask: fc.constant("list" as const),
      table: fc.constant("workItems" as const),
      where,
      options,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: fc.constant("list" as const),
      table: fc.constant("links" as const),
      where: linkWhere,
      options: linkOptions,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ask: fc.constant("delete" as const), table: fc.constant("workItems" as const), where }),
  },
  { weight: 1, arbitrary: fc.record({ ask: fc.constant("erase" as const), shop }) },
);

/** Several steps as one transaction, which may end by throwing. */
const block = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  together: fc.boolean(),
  fails: fc.boolean(),
});

async function answer(tables: Tables, asked: Step): Promise<unknown> {
  try {
    if (asked.ask === "erase") return await tables.shops.delete({ shop: asked.shop });
    const table = tableOf(tables, asked.table);
    if (asked.ask === "insert") return await table.insert(asked.record);
    if (asked.ask === "update") return await table.update(asked.where, asked.patch);
    if (asked.ask === "delete") return await table.delete(asked.where);
    return await table.list(asked.where, asked.options);
  } catch (error) {
    return (error as Error).name;
  }
}

async function play(
  store: Store,
  { steps, together, fails }: { steps: Step[]; together: boolean; fails: boolean },
): Promise<unknown[]> {
  const answers: unknown[] = [];
  const all = async (tables: Tables) => {
    for (const one of steps) answers.push(await answer(tables, one));
  };
  if (!together) await all(store);
  else {
    const work = store.transaction(null, async (tables) => {
      await all(tables);
      if (fails) throw new Error("stop");
    });
    // The words of a fault are each store's own.
    await work.catch((error: Error) => answers.push(error.message === "stop" ? "stop" : error.name));
  }
  return answers;
}

const STORES: [string, number, () => Promise<OpenStore>][] = [
  ["SQLite", 60, openFreshStore],
  ["PostgreSQL", 30, sharedPostgres],
];

test.each(STORES)("the store in memory answers as Prisma's on %s does", async (_name, numRuns, open) => {
  const opened = await open();
  const blocks = fc.array(block, { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(blocks, async (script) => {
      const memory = createMemoryStore();
      for (const store of [memory, opened.store]) {
        await store.shops.delete({});
        await store.shops.insert(shopRecord({ shop: "a.myshopify.com" }));
      }
      for (const one of script) expect(await play(memory, one)).toEqual(await play(opened.store, one));
      for (const name of ["shops", "workItems", "links"] as const) {
        const [mine, theirs] = await Promise.all(
          [memory, opened.store].map((store) => tableOf(store, name).list({}, { limit: 99 })),
        );
        expect(mine).toEqual(theirs);
      }
    }),
    { numRuns },
  );
  await opened.close();
});
