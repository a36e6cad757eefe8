import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createStore } from "../../../../app/adapters/store/store.ts";
import { download } from "../../../../app/spreadsheet/download.ts";
import { exportActivity } from "../../../../app/spreadsheet/export-activity.ts";
import { KEYS, SILENT } from "../../../adapters/store/open-store.ts";
import { SHOP } from "../../../fakes/records.ts";
import { loadWords } from "../words.ts";

/**
 * A process of its own that gives out the activity log of a database as a file, to a reader that takes as long as a browser over a good
 * connection: prints how much its memory grew, in bytes, how long it took, and how many lines there were.
 *
 *     node test/bench/sheets/processes/download.ts DATABASE_URL
 */

const [url] = process.argv.slice(2);
loadWords("es-MX");
const store = await createStore({ url: url!, keys: KEYS, log: SILENT });
const services = { store, clock: createClock() };

async function pour(most: number): Promise<{ lines: number; bytes: number }> {
  const query = { actor: null, outcome: null, locationId: null, topic: null, from: null, to: null, page: 1 };
  const sheet = (await exportActivity(services, { shop: SHOP, query, language: "es-MX" }))!;
  const reader = download(sheet).body!.getReader();
  let [lines, bytes] = [0, 0];
  while (lines < most) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    for (const byte of value) if (byte === 10) lines += 1;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  await reader.cancel();
  return { lines, bytes };
}

let peak = 0;
// What a process loads and compiles for its first file is no growth of a long one.
await pour(2_000);
const before = process.memoryUsage.rss();
peak = before;
const startedMs = performance.now();
const { lines, bytes } = await pour(Infinity);
const tookMs = performance.now() - startedMs;
await store.close();
console.log(JSON.stringify({ grew: peak - before, tookMs, lines, bytes }));
