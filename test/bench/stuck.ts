import { parseArgs } from "node:util";
import type { BenchRow } from "./run.ts";
import { playStuck } from "./stuck/stuck-story.ts";
import type { StuckStory } from "./stuck/stuck-story.ts";
import { startStuckWorld, STUCK_MODES } from "./stuck/stuck-world.ts";
import type { StuckMode } from "./stuck/stuck-world.ts";

/**
 * `npm run bench -- stuck [--mode get]`: the real server against a service of which one thing never works: the GET or the PATCH of one
 * template answers 500, or the list does, or takes longer than a call may. The healthy others follow a change, what is stuck is told,
 * and costs little. What it costs in an hour is proved on a virtual clock (test/scenarios); here is counted what the looking took.
 */
const FOLLOW_WITHIN_MS = 2 * 60_000;
const HOME_WITHIN_MS = 15 * 60_000;
const CALLS_IN_AN_HOUR = 60;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({ args: argv, options: { mode: { type: "string" } } });
  const modes = STUCK_MODES.filter((mode) => values.mode === undefined || mode === values.mode);
  const rows: BenchRow[] = [];
  for (const mode of modes) {
    console.log(`${mode} …`);
    rows.push(...rowsOf(mode, await playOne(mode)));
  }
  return rows;
}

async function playOne(mode: StuckMode): Promise<StuckStory> {
  const world = await startStuckWorld(mode);
  try {
    return await playStuck(world, { followWithinMs: FOLLOW_WITHIN_MS, homeWithinMs: HOME_WITHIN_MS });
  } finally {
    await world.sandbox.stop();
  }
}

function rowsOf(mode: StuckMode, story: StuckStory): BenchRow[] {
  const seconds = (ms: number | null) => (ms === null ? "never" : Math.round(ms / 100) / 10);
  const within = (ms: number | null, limitMs: number) => ms !== null && ms <= limitMs;
  const rows = [
    {
      name: `${mode}: all healthy ones followed`,
      figure: story.behind.length > 0 ? `behind: ${story.behind.join(", ")}` : seconds(story.allFollowedMs),
      unit: "s",
      goal: `<= ${FOLLOW_WITHIN_MS / 1_000}`,
      met: within(story.allFollowedMs, FOLLOW_WITHIN_MS),
    },
    {
      name: `${mode}: on Home with words and request id`,
      figure: story.onHomeMs === null ? `lacks ${story.missingOnHome.join(", ")}` : seconds(story.onHomeMs),
      unit: "s",
      goal: `<= ${HOME_WITHIN_MS / 1_000}`,
      met: within(story.onHomeMs, HOME_WITHIN_MS),
    },
    {
      name: `${mode}: calls of what is stuck`,
      figure: Math.round(story.stuckCallsEach),
      unit: `in ${Math.round(story.watchedMs / 1_000)} s`,
      goal: `<= ${CALLS_IN_AN_HOUR}`,
      met: story.stuckCallsEach <= CALLS_IN_AN_HOUR,
    },
  ];
  if (story.newcomer !== null)
    rows.push({
      name: `${mode}: a location that opened meanwhile is`,
      figure: story.newcomer,
      unit: "",
      goal: "waiting",
      met: story.newcomer === "waiting",
    });
  return rows;
}
