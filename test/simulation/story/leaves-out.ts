import type { Operation } from "../../fakes/shipping/network.ts";
import type { SeededRandom } from "../../fakes/random.ts";

/** Answers that leave out what the carriers say of a template, and whether it is the default: those to a change for good, or all for a while. */
export type LeavesOut = { of: "changes" } | { of: "all"; fromMs: number; untilMs: number };

const LASTS_MS = { least: 40_000, most: 150_000 };

export function drawLeavesOut(
  random: SeededRandom,
  { startMs, endsAtMs }: { startMs: number; endsAtMs: number },
): LeavesOut | null {
  if (!random.chance(0.12)) return null;
  if (random.chance(0.4)) return { of: "changes" };
  const fromMs = random.between(startMs + 30_000, endsAtMs - LASTS_MS.least);
  return { of: "all", fromMs, untilMs: Math.min(endsAtMs, fromMs + random.between(LASTS_MS.least, LASTS_MS.most)) };
}

/** The kind of the answer, where it leaves something out; null where it does not. */
export function isLeftOut(leavesOut: LeavesOut | null, operation: Operation, nowMs: number): string | null {
  if (!leavesOut) return null;
  if (leavesOut.of === "changes") return operation === "update" || operation === "verify" ? LEAVES_OUT_KINDS[0] : null;
  return nowMs >= leavesOut.fromMs && nowMs < leavesOut.untilMs ? LEAVES_OUT_KINDS[1] : null;
}

export const LEAVES_OUT_KINDS = [
  "service: the answer to a change leaves the carriers out",
  "service: answers leave the carriers out for a while",
] as const;
