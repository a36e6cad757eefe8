import { claimWorkItem } from "../../../../app/runs/claim.ts";
import type { Store } from "../../../../app/ports.ts";
import { createMachine } from "../../../../app/adapters/machine/clock.ts";
import { createSharedClock } from "../../../../app/adapters/machine/shared-clock.ts";
import { createStore, type PrismaStore } from "../../../../app/adapters/store/store.ts";
import * as records from "../../../fakes/records.ts";
import { SHOP } from "../../../fakes/records.ts";
import { KEYS, SILENT } from "../open-store.ts";

// One of several processes on one database. It opens its own store, says "ready", begins when the shop GO is there, and prints what it did.

export const GO = "go.myshopify.com";
/** How often each process does it. */
export const TIMES = 40;

/** What each process does, by name; `me` tells the processes apart. */
const TASKS: Record<string, (store: Store, me: string) => Promise<unknown>> = {
  async increments(store) {
    for (let index = 0; index < TIMES; index += 1)
      await store.transaction(SHOP, async (tables) => {
        const { generation } = (await tables.workItems.find({ id: "target-1" }))!;
        await tables.workItems.update({ id: "target-1" }, { generation: generation + 1 });
      });
  },

  async erases(store) {
    for (let index = 0; index < TIMES; index += 1) {
      await store.eraseShop(SHOP);
      await store.shops.insert(records.shopRecord());
    }
  },

  /** Single inserts, and several in a transaction, of which none or all find the shop. */
  async inserts(store, me) {
    const outcomes = new Set<string>();
    for (let index = 0; index < TIMES; index += 1) {
      const receipt = (what: string) => records.receiptRecord({ webhookId: `${me} ${index} ${what}` });
      await store.receipts.insert(receipt("alone"));
      const both = await store.transaction(SHOP, async (tables) => [
        await tables.receipts.insert(receipt("first")),
        await tables.receipts.insert(receipt("second")),
      ]);
      outcomes.add(both.join());
    }
    return [...outcomes];
  },

  /** Every item, in an order of its own. */
  async claims(store, me) {
    const services = { store, clock: { nowMs: () => records.NOW_MS }, settings: { leaseMs: 60_000 } } as never;
    const items = await store.workItems.list({ shop: SHOP }, { orderBy: { id: me < "b" ? "asc" : "desc" } });
    const claimed = [];
    for (const { id } of items) {
      const item = await claimWorkItem(services, { workItemId: id, shop: SHOP, owner: me });
      if (item) claimed.push([id, item.fence]);
    }
    return claimed;
  },

  /** The time of day, while the machine's own says something else. */
  async clocks(store) {
    const askMs = () => (store as PrismaStore).askTimeMs!();
    const clock = await createSharedClock({ machine: createMachine(), askMs, log: SILENT });
    const errors = [];
    for (let index = 0; index < TIMES; index += 1) {
      const before = await askMs();
      const nowMs = clock.nowMs();
      errors.push(Math.max(0, before - nowMs, nowMs - (await askMs())));
    }
    return { errorMs: Math.max(...errors), ownErrorMs: Math.abs(Date.now() - clock.nowMs()) };
  },

  /** Rows of which a shop, or a template, has one at most: how many it got in. */
  async uniques(store, me) {
    const got = { connections: 0, jobs: 0, pendingWrites: 0 };
    for (let index = 0; index < TIMES; index += 1) {
      const id = `${me} ${index}`;
      const [connection, job, pendingWrite] = await Promise.all([
        store.connections.insert(records.connectionRecord({ id, clientId: id, current: true })),
        store.jobs.insert(records.jobRecord({ id, state: "running" })),
        store.pendingWrites.insert(records.pendingWriteRecord({ id, workItemId: id, templateId: `${index}` })),
      ]);
      got.connections += Number(connection);
      got.jobs += Number(job);
      got.pendingWrites += Number(pendingWrite);
    }
    return got;
  },
};

const [url, task, me] = process.argv.slice(2) as [string, string, string];
if (task) {
  const store = await createStore({ url, keys: KEYS, log: SILENT, exclusive: false });
  console.log("ready");
  while ((await store.shops.count({ shop: GO })) === 0);
  console.log(`did ${JSON.stringify((await TASKS[task]!(store, me)) ?? null)}`);
  await store.close();
}
