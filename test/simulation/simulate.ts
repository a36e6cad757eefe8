import { parseArgs } from "node:util";
import { FIGURES, isFaulty } from "./oracle/figures.ts";
import { tellPlayed } from "./kinds.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import type { MutantName } from "./mutants/mutants.ts";
import type { Totals } from "./run-batch.ts";
import { readServiceAs } from "./story/service-as.ts";
import { runStory } from "./story/run-story.ts";
import type { StoryResult } from "./story/run-story.ts";
import { spread } from "./threads.ts";

/**
 * `npm run simulate -- --schedules N --seed S`: N whole stories, the first from seed S, the next from S + 1, on every core. A seed
 * that fails is named at once and replays alone: `--schedules 1 --seed THAT` prints its story as a timeline. Before the last line
 * stands how often each kind of fault and of act was played. The last line is JSON; exit 1 when anything was counted but
 * `unseeable`, or when a run of 20,000 or more left a kind out.
 *
 *   --mutants                    deliberate faults in the protocol: each must be caught within 1,000 stories
 *   --mutant NAME                one of them
 *   --effects-later-than-bound   effects beyond the quarantine: something must be counted, or the simulation sees nothing
 *   --cluster                    two or three processes with machines and budgets of their own, over what one database promises
 *   --tell                       the timeline of a single story that is well, too
 *   --threads N                  instead of one a core
 *   --service-as FILE            the service as a report of `npm run conformance` saw it
 */
const { values } = parseArgs({
  options: {
    schedules: { type: "string" },
    seed: { type: "string", default: "1" },
    mutants: { type: "boolean", default: false },
    mutant: { type: "string" },
    "effects-later-than-bound": { type: "boolean", default: false },
    cluster: { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
    threads: { type: "string" },
    "service-as": { type: "string" },
  },
});

const PER_MUTANT = 1_000;
const MOST_NAMED = 25;
/** How often a long run prints how far it is. */
const TOLD_EVERY = 10_000;
/** This many stories play every kind. */
const ENOUGH = 20_000;
const seed = wholeNumber("seed", values.seed);
const schedules = values.schedules === undefined ? null : wholeNumber("schedules", values.schedules);
const threads = values.threads === undefined ? null : wholeNumber("threads", values.threads);
const serviceAs = values["service-as"] === undefined ? null : readServiceAs(values["service-as"]);
const effectsLaterThanBound = values["effects-later-than-bound"];
const { cluster } = values;
const mutant = values.mutant === undefined ? null : mutantCalled(values.mutant);

if (values.mutants) process.exitCode = await showMutants();
else if (schedules === 1 || values.tell) process.exitCode = await playOne();
else process.exitCode = await simulate();

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${name} takes a whole number, not ${text}`);
  process.exit(2);
}

function mutantCalled(name: string): MutantName {
  if (name in MUTANTS) return name as MutantName;
  console.error(`--mutant takes one of:\n${Object.keys(MUTANTS).join("\n")}`);
  process.exit(2);
}

async function playOne(): Promise<number> {
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  const played = mutant ? { mutant: MUTANTS[mutant] } : {};
  const result = await runStory({ seed, effectsLaterThanBound, serviceAs, cluster, tell, ...played });
  const faulty = isFaulty(result.verdict);
  if (faulty || values.tell) for (const line of lines) console.log(line);
  for (const words of wordsOf(result)) console.log(words);
  const totals = { schedules: 1, virtualHours: result.virtualMs / 3_600_000, ...countsOf(result) };
  console.log(JSON.stringify(rounded(totals)));
  return faulty !== effectsLaterThanBound ? 1 : 0;
}

async function simulate(): Promise<number> {
  const count = schedules ?? 10_000;
  const plan = { from: seed, count, mutant, effectsLaterThanBound, serviceAs, cluster, untilCaught: false };
  let named = 0;
  let told = 0;
  const found = (failing: StoryResult) => {
    named += 1;
    if (named <= MOST_NAMED) console.log(`seed ${failing.seed}: ${wordsOf(failing).join("; ")}`);
  };
  const progress = ({ schedules: played }: Totals) => {
    if (played < told + TOLD_EVERY) return;
    told += TOLD_EVERY;
    console.log(`${played} stories, ${named} with faults`);
  };
  const { totals, played, failing } = await spread(plan, { threads, found, progress });
  const { lines, never } = tellPlayed(played, { cluster });
  console.log("how often each kind was played:");
  for (const line of lines) console.log(line);
  if (never.length > 0) console.log(`never played: ${never.join(", ")}`);
  console.log(JSON.stringify(rounded(totals)));
  if (effectsLaterThanBound) return failing.length === 0 ? 1 : 0;
  // One service has one habit of each kind, so not every kind can be played.
  const isMissing = never.length > 0 && totals.schedules >= ENOUGH && serviceAs === null;
  return failing.length > 0 || isMissing ? 1 : 0;
}

async function showMutants(): Promise<number> {
  const caught: Record<string, boolean> = {};
  for (const name of Object.keys(MUTANTS) as MutantName[]) {
    const plan = {
      from: seed,
      count: schedules ?? PER_MUTANT,
      mutant: name,
      effectsLaterThanBound,
      serviceAs,
      cluster,
      untilCaught: true,
    };
    const quiet = { found: () => undefined, progress: () => undefined };
    const { failing, totals } = await spread(plan, { threads, ...quiet });
    const [first] = failing;
    caught[name] = first !== undefined;
    console.log(
      first
        ? `caught at seed ${first.seed}: ${name} (${wordsOf(first).join("; ").slice(0, 160)})`
        : `NOT CAUGHT in ${totals.schedules}: ${name}`,
    );
  }
  const all = Object.values(caught);
  console.log(JSON.stringify({ mutants: all.length, caught: all.filter(Boolean).length }));
  return all.every(Boolean) ? 0 : 1;
}

function wordsOf({ verdict }: StoryResult): string[] {
  return FIGURES.flatMap((figure) => (verdict[figure].length > 0 ? [`${figure}: ${verdict[figure].join(" | ")}`] : []));
}

function countsOf({ verdict }: StoryResult) {
  return Object.fromEntries(FIGURES.map((figure) => [figure, verdict[figure].length])) as Record<
    keyof typeof verdict,
    number
  >;
}

function rounded(totals: Totals): Totals {
  return { ...totals, virtualHours: Math.round(totals.virtualHours * 10) / 10 };
}
