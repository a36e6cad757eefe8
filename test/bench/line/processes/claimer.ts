import pg from "pg";
import { createStore } from "../../../../app/adapters/store/store.ts";
import { NEVER_MS } from "../../../../app/domain/backoff.ts";
import { KEYS, SILENT } from "../../../adapters/store/open-store.ts";

// Claims as a worker does, ends each batch by one statement, and says how many when nothing is due any more. What a run does is left out.

const [url, room] = [process.argv[2]!, Number(process.argv[3])];
const LEASE_MS = 60_000;
/** Nothing was due so many times. */
const ENOUGH = 3;

const END = `UPDATE "Target" SET "seen" = "wanted", "dueAtMs" = ${NEVER_MS}, "leaseOwner" = NULL, "leaseUntilMs" = NULL
  FROM unnest($2::text[], $3::int[]) AS ended(of_id, of_fence) WHERE "id" = of_id AND "fence" = of_fence AND "leaseOwner" = $1`;

const store = await createStore({ url, keys: KEYS, log: SILENT, exclusive: false });
const db = new pg.Client(url);
await db.connect();
const owner = `process ${process.pid}`;
console.log("ready");
process.stdin.once("data", () => void work());

async function work(): Promise<void> {
  const cpu = process.cpuUsage();
  let claimed = 0;
  let worstMs = 0;
  for (let empty = 0; empty < ENOUGH;) {
    const beganMs = performance.now();
    const items = await store.shared!.claim({ owner, nowMs: Date.now(), leaseMs: LEASE_MS, room });
    worstMs = Math.max(worstMs, performance.now() - beganMs);
    empty = items.length === 0 ? empty + 1 : 0;
    claimed += items.length;
    if (items.length > 0) await db.query(END, [owner, items.map(({ id }) => id), items.map(({ fence }) => fence)]);
  }
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ claimed, worstMs, cpuMs: (user + system) / 1_000 }));
  await db.end();
  await store.close();
  process.exit(0);
}
