import type { SeededRandom } from "../../fakes/random.ts";

/** What happens to the machine on which the app runs. Times count from the story's start. */
export interface MachineTroubles {
  /** Somebody sets the wall clock wrong, and sets it right after a while, or never. */
  jumps: { atMs: number; byMs: number; backAfterMs: number | null; kind: string }[];
  sleeps: { atMs: number; forMs: number }[];
  /** Each request first needs a connection, which takes time. */
  slowConnects: boolean;
  /** A process is stopped in order and the next one starts. */
  deploys: number[];
}

const JUMPS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, year: 365 * 86_400_000 } as const;
const LENGTHS = ["minute", "minute", "hour", "hour", "day", "day", "year"] as const;

export function drawMachineTroubles(
  random: SeededRandom,
  { lastsMs, deploys, alone }: { lastsMs: number; deploys: boolean; alone: boolean },
): MachineTroubles {
  const at = () => random.between(2_000, lastsMs - 5_000);
  const jumps = random.chance(0.25) ? Array.from({ length: random.between(1, 2) }, () => drawJump(random, at())) : [];
  const sleeps = alone && random.chance(0.12) ? [{ atMs: at(), forMs: random.between(4_000, 150_000) }] : [];
  return {
    jumps,
    sleeps,
    slowConnects: sleeps.length > 0 || random.chance(0.1),
    deploys: deploys && random.chance(0.15) ? [at()] : [],
  };
}

function drawJump(random: SeededRandom, atMs: number): MachineTroubles["jumps"][number] {
  const length = random.pick(LENGTHS);
  const ahead = random.chance(0.5);
  // Nobody runs long with a clock that is a year wrong.
  const staysWrong = length !== "year" && random.chance(0.5);
  return {
    atMs,
    byMs: ahead ? JUMPS[length] : -JUMPS[length],
    backAfterMs: staysWrong ? null : random.between(5_000, 60_000),
    kind: `clock: a ${length} ${ahead ? "ahead" : "back"}`,
  };
}

export const MACHINE_KINDS = [
  ...Object.keys(JUMPS).flatMap((length) => [`clock: a ${length} ahead`, `clock: a ${length} back`]),
  "clock: set right again",
  "clock: set under two processes",
  "machine: sleeps",
  "process: dies",
  "process: freezes",
  "process: stalls",
  "process: starves",
  "process: deployed anew",
  "process: with a budget of its own",
  "process: beside another, with the same budget",
];
