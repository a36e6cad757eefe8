import { ACT_KINDS } from "./people/actions.ts";
import { MOVE_KINDS } from "./moves/play.ts";
import { CLUSTER_KINDS } from "./story/cluster.ts";
import { DIALECT_KINDS } from "./story/dialect.ts";
import { LEAVES_OUT_KINDS } from "./story/leaves-out.ts";
import { MACHINE_KINDS } from "./story/machine-weather.ts";
import { SERVICE_KINDS } from "./story/service-weather.ts";
import { SHOPIFY_KINDS } from "./story/shopify-weather.ts";
import { STUCK_KINDS } from "./story/stuck.ts";

/** Every kind of fault and of act. A long run must have played each. */
const KINDS: readonly string[] = [
  ...SERVICE_KINDS,
  "service: malformed row",
  "service: rows move between pages",
  "service: a template changes before a process wakes",
  "service: a template vanishes for a moment",
  "service: tokens revoked",
  ...LEAVES_OUT_KINDS,
  ...DIALECT_KINDS,
  ...STUCK_KINDS,
  ...SHOPIFY_KINDS,
  "webhook: uninstalled late",
  "webhook: redact early",
  "webhook: redact late",
  "webhook: redact twice",
  ...MACHINE_KINDS,
  ...ACT_KINDS,
  ...MOVE_KINDS,
];

/** What needs one budget for all processes, or a process that has its database alone. */
const NOT_IN_CLUSTERS: readonly string[] = [
  "service: a template changes before a process wakes",
  "clock: set under two processes",
  "process: starves",
  "process: with a budget of its own",
  "process: beside another, with the same budget",
];

/** A line for each kind, the most frequent first in its group, and how many kinds were never played. */
export function tellPlayed(
  played: Readonly<Record<string, number>>,
  { cluster }: { cluster: boolean },
): { lines: string[]; never: string[] } {
  const kinds = cluster ? [...KINDS.filter((kind) => !NOT_IN_CLUSTERS.includes(kind)), ...CLUSTER_KINDS] : KINDS;
  const lines = kinds.map((kind) => `${String(played[kind] ?? 0).padStart(9)}  ${kind}`);
  return { lines, never: kinds.filter((kind) => !played[kind]) };
}
