import { existsSync, readdirSync } from "node:fs";
import { createStore } from "../../../../app/adapters/store/store.ts";
import { receiptRecord, SHOP, shopRecord } from "../../../fakes/records.ts";
import { KEYS, SILENT } from "../open-store.ts";

// Runs transactions, every tenth of which fails, and prints what they left: rows, descriptors (where /proc tells), resident MB.
const [url, times] = [process.argv[2]!, Number(process.argv[3])];
const store = await createStore({ url, keys: KEYS, log: SILENT });
await store.shops.insert(shopRecord());
for (let index = 0; index < times; index += 1) {
  const work = store.transaction(SHOP, async (tables) => {
    await tables.receipts.insert(receiptRecord({ webhookId: `w-${index}` }));
    if (index % 10 === 9) throw new Error("every tenth");
  });
  await work.catch((error: Error) => {
    if (error.message !== "every tenth") throw error;
  });
}
const rows = await store.receipts.count({});
const descriptors = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : null;
console.log(JSON.stringify({ rows, descriptors, residentMb: Math.round(process.memoryUsage().rss / 2 ** 20) }));
await store.close();
