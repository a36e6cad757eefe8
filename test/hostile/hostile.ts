import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { startEmbedded } from "../../scripts/postgres-server.ts";
import { freePort } from "../sandbox/app-process.ts";
import { attack } from "./attack.ts";
import { memoryOf } from "./memory.ts";
import { createSender } from "./sender.ts";
import { startStage } from "./stage.ts";

/**
 * `npm run test:hostile -- --requests 100000 --seed 1`, with `--postgres` on PostgreSQL: requests from a seed against the built app, of an
 * owner who names another shop's things, with forged tokens and webhooks among them. The last line is JSON; exit 1 when the server erred, hung
 * or reset a connection, when too few came as far as a use case, when the other shop's rows changed, or when the app holds more memory
 * (`moreMb`, of what is left when its garbage is collected; `moreResidentMb` is with the garbage). `machineHeldUp`: answers that took as long
 * as a hang while the machine had no processor to give.
 */

const MOST_MORE_MB = 100;
const LEAST_REACHED = 0.8;
const REST_MS = 15_000;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    postgres: { type: "boolean", default: false },
  },
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];

const port = await freePort();
const server = values.postgres ? await startEmbedded() : null;
const stage = await startStage({ inspectPort: port, databaseUrl: server?.url });
const memory = () => memoryOf({ pid: stage.sandbox.app.pid()!, port });
const sender = createSender(stage.sandbox.app.url, { appPid: () => stage.sandbox.app.pid() });
const before = await stage.victimRows();
// What is loaded once is loaded.
await attack(stage, sender, { requests: Math.min(requests, 2_000), seed: seed + 1 });
await sleep(REST_MS);
const resting = await memory();
const startedMs = performance.now();
const onProgress = (sent: number) => console.log(`${sent} sent`);
const { reached } = await attack(stage, sender, { requests, seed, onProgress });
const seconds = Math.round((performance.now() - startedMs) / 1_000);
await sleep(REST_MS);
const after = await memory();
const moreMb = Math.round(after.live - resting.live);
const untouched = isDeepStrictEqual(await stage.victimRows(), before);
const { sent, byStatus, serverErrors, hangs, machineHeldUp, resets } = sender.tally;
sender.close();
await stage.stop();
await server?.stop();

for (const line of [...serverErrors, ...hangs, ...resets].slice(0, 50)) console.log(line);
console.log(
  JSON.stringify({
    seed,
    sent,
    seconds,
    reached: Number(reached.toFixed(3)),
    byStatus,
    serverErrors: serverErrors.length,
    hangs: hangs.length,
    machineHeldUp,
    resets: resets.length,
    untouched,
    moreMb,
    moreResidentMb: Math.round(after.resident - resting.resident),
  }),
);
const isWell = serverErrors.length + hangs.length + resets.length === 0 && untouched && reached >= LEAST_REACHED;
process.exit(isWell && moreMb <= MOST_MORE_MB ? 0 : 1);
