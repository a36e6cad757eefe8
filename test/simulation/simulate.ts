import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { MUTANTS } from "./mutants.ts";
import type { MutantName } from "./mutants.ts";
import { noTotals } from "./run-batch.ts";
import type { Batch, BatchEnd, Totals } from "./run-batch.ts";
import { runSchedule } from "./schedule.ts";

/**
 * `npm run simulate -- --schedules N --seed S`: N whole stories, the first from seed S, the next from S + 1, on every core. A seed
 * that fails is printed and replays alone: `--seed THAT --schedules 1 --tell`. The last line is JSON; exit 1 when anything was
 * lost, doubled, overwritten or sent too fast.
 *
 *   --mutants                    deliberate faults in the protocol: each must be caught
 *   --effects-later-than-bound   effects beyond the quarantine: the count must be above 0, or the simulation sees nothing
 *   --tell                       what happens, a line at a time
 */
const { values } = parseArgs({
  options: {
    schedules: { type: "string" },
    seed: { type: "string", default: "1" },
    mutants: { type: "boolean", default: false },
    "effects-later-than-bound": { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
  },
});

type Failing = BatchEnd["failing"][number];

const BATCH = 250;
const PER_MUTANT = 6_000;
const MOST_TOLD = 10;
/** A long run says how far it is; a whole number of batches. */
const TOLD_EVERY = 10_000;
const seed = wholeNumber("seed", values.seed);
const schedules = values.schedules === undefined ? null : wholeNumber("schedules", values.schedules);

if (values.tell) process.exitCode = await tellOne();
else if (values.mutants) process.exitCode = await showMutants();
else process.exitCode = await simulate();

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${name} takes a whole number, not ${text}`);
  process.exit(2);
}

async function tellOne(): Promise<number> {
  const effectsLaterThanBound = values["effects-later-than-bound"];
  const result = await runSchedule({ seed, effectsLaterThanBound, tell: (line) => console.log(line) });
  console.log(JSON.stringify(result));
  return 0;
}

async function simulate(): Promise<number> {
  const late = values["effects-later-than-bound"];
  const plan = {
    from: seed,
    count: schedules ?? 10_000,
    mutant: null,
    effectsLaterThanBound: late,
    untilCaught: false,
  };
  const { totals } = await spread(plan, tellFault);
  console.log(JSON.stringify({ ...totals, virtualHours: Math.round(totals.virtualHours * 10) / 10 }));
  const faults = totals.lost + totals.duplicates + totals.overwritten + totals.secondsOverLimit;
  return (late ? faults === 0 : faults > 0) ? 1 : 0;
}

/** At once, so that one can be replayed while the others go on. */
function tellFault({ seed: failed, lost, duplicates, overwritten, secondsOverLimit }: Failing, nth: number): void {
  if (nth <= MOST_TOLD)
    console.log(`seed ${failed}: ${JSON.stringify({ lost, duplicates, overwritten, secondsOverLimit })}`);
}

async function showMutants(): Promise<number> {
  const caught: Record<string, boolean> = {};
  for (const mutant of Object.keys(MUTANTS) as MutantName[]) {
    const plan = {
      from: seed,
      count: schedules ?? PER_MUTANT,
      mutant,
      effectsLaterThanBound: false,
      untilCaught: true,
    };
    const { failing, totals } = await spread(plan);
    const [first] = failing;
    caught[mutant] = first !== undefined;
    console.log(
      `${first ? `caught at seed ${first.seed}` : `NOT CAUGHT in ${totals.schedules}`}: ${mutant}${first ? ` (${findings(first)})` : ""}`,
    );
  }
  const all = Object.values(caught);
  console.log(JSON.stringify({ mutants: all.length, caught: all.filter(Boolean).length }));
  return all.every(Boolean) ? 0 : 1;
}

function findings(result: Failing): string {
  const { lost, duplicates, overwritten, secondsOverLimit } = result;
  const counts = { lost: lost.length, duplicates, overwritten: overwritten.length, secondsOverLimit };
  return Object.entries(counts)
    .flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []))
    .join(", ");
}

/** Batches over all cores; ends early once one is caught, where that is asked for. */
async function spread(
  plan: Batch,
  tell: (fault: Failing, nth: number) => void = () => undefined,
): Promise<{ totals: Totals; failing: Failing[] }> {
  const totals = noTotals();
  const failing: Failing[] = [];
  let next = plan.from;
  const end = plan.from + plan.count;
  const lane = async (): Promise<void> => {
    while (next < end && !(plan.untilCaught && failing.length > 0)) {
      const from = next;
      const count = Math.min(BATCH, end - from);
      next += count;
      const batch = await onThread({ ...plan, from, count });
      for (const name of Object.keys(totals) as (keyof Totals)[]) totals[name] += batch.totals[name];
      for (const fault of batch.failing) tell(fault, failing.push(fault));
      if (totals.schedules % TOLD_EVERY === 0)
        console.log(`${totals.schedules} stories, ${failing.length} with faults`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  failing.sort((a, b) => a.seed - b.seed);
  return { totals, failing };
}

function onThread(batch: Batch): Promise<BatchEnd> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./run-batch.ts", import.meta.url), { workerData: batch });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
