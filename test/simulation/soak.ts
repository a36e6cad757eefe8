import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createSeededRandom } from "../fakes/random.ts";
import { prepareJob } from "../sandbox/play/job.ts";
import { STEPS } from "../sandbox/play/steps.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { faultRules, judgeSoak, LATEST_EFFECT_MS, soakLocations, stir } from "./soak-story.ts";

/**
 * `npm run soak -- --kills N [--seed S]`: the real server on SQLite and the real stand-in with faults, killed with SIGKILL at random
 * moments, starting ones included, while locations change and people edit templates. The last line is JSON; exit 1 when anything
 * was lost, doubled, overwritten or sent too fast, or when it did not converge within five minutes of the last fault.
 */
const { values } = parseArgs({
  options: { kills: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
});
const kills = Number(values.kills);
const random = createSeededRandom(Number(values.seed));

const CONVERGES_WITHIN_MS = 5 * 60_000;
const MARGIN_MS = 2_000;
/** More than the stand-in delays an arrival. A new process sends nothing for a second and this. */
const GRACE_MS = 600;
/** Connected and mapped by the owner first; the killing begins then. */
const SET_UP_STEPS = 5;

const dataDir = mkdtempSync(join(tmpdir(), "origen-soak-"));
const sandbox = await startSandbox({
  dataDir,
  shops: 1,
  locations: soakLocations(),
  shipping: { seed: Number(values.seed) },
  appEnv: {
    LOG_LEVEL: "warn",
    QUARANTINE_LONGEST_MS: String(LATEST_EFFECT_MS),
    QUARANTINE_MARGIN_MS: String(MARGIN_MS),
    BUDGET_GRACE_MS: String(GRACE_MS),
  },
  onProgress: (line) => console.log(line),
});
let failed = true;
try {
  failed = await soak(sandbox);
} finally {
  await sandbox.stop();
  if (!failed) rmSync(dataDir, { recursive: true, force: true });
  else console.error(`The app's log and database: ${dataDir}`);
}
process.exitCode = failed ? 1 : 0;

async function soak({ app, shipping, admin, ...rest }: Sandbox): Promise<boolean> {
  const startedAtMs = Date.now();
  const job = prepareJob({ app, shipping, admin, ...rest }, 60_000);
  for (const { title, run } of STEPS.slice(0, SET_UP_STEPS)) console.log(`${title}: ${await run(job)}`);
  const service = shipping!;
  service.faults.set(faultRules());
  const stirring = new AbortController();
  const world = { random, admin, service, shop: job.shop, clientId: job.credentials.clientId };
  const stirred = stir(world, stirring.signal);
  for (let kill = 1; kill <= kills; kill += 1) {
    await sleep(random.between(300, 6_000));
    await app.kill();
    await sleep(random.pick([0, 50, 400, 1_500]));
    const started = app.start().catch(() => undefined);
    // One in four is killed again before it is ready.
    if (!random.chance(0.25)) await started;
    if (kill % 10 === 0) console.log(`${kill} kills, ${service.report().calls} calls`);
  }
  stirring.abort();
  await stirred;
  service.faults.clear();
  const lastFaultAtMs = Date.now();
  if (!app.running()) await app.start();
  let verdict = judgeSoak(world);
  while (verdict.lost.length > 0 && Date.now() - lastFaultAtMs < CONVERGES_WITHIN_MS) {
    await sleep(1_000);
    verdict = judgeSoak(world);
  }
  const convergedMs = Date.now() - lastFaultAtMs;
  // Effects and repetitions that are still on their way would show now.
  await sleep(2 * LATEST_EFFECT_MS + MARGIN_MS);
  verdict = judgeSoak(world);
  for (const line of [...verdict.lost, ...verdict.overwritten]) console.log(line);
  const { duplicates, unseeable, secondsOverLimit } = verdict;
  const counts = {
    lost: verdict.lost.length,
    duplicates,
    overwritten: verdict.overwritten.length,
    unseeable,
    secondsOverLimit,
  };
  const hours = Math.round((Date.now() - startedAtMs) / 36_000) / 100;
  console.log(
    JSON.stringify({ schedules: 1, virtualHours: hours, ...counts, kills, calls: service.report().calls, convergedMs }),
  );
  return counts.lost + duplicates + counts.overwritten + secondsOverLimit > 0 || convergedMs > CONVERGES_WITHIN_MS;
}
