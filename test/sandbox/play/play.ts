import { STEP_MS } from "../../patience.ts";
import type { Sandbox } from "../start.ts";
import { prepareJob } from "./job.ts";
import { STEPS } from "./steps.ts";

/** A store's first reconcile reads each location, and later steps wait for it. */
const PATIENCE_A_LOCATION_MS = 300;

export interface PlayOptions {
  say: (line: string) => void;
  /** How long a step waits for something to come about; a carrier's answer gets twice that. By default more in a large store. */
  patienceMs?: (step: string) => number;
  /** Whether a visitor will look around: a carrier refuses the address that a location moves to, and orders show their origin. */
  hasVisitor?: boolean;
}

/** Plays the whole job once and reports each step. Returns whether all went well; after a failure the later steps are skipped. */
export async function playTheJob(
  sandbox: Sandbox,
  { say, hasVisitor = false, ...options }: PlayOptions,
): Promise<boolean> {
  const locations = sandbox.stores[0]?.locations.length ?? 0;
  const patienceMs = options.patienceMs ?? (() => STEP_MS + locations * PATIENCE_A_LOCATION_MS);
  const job = prepareJob(sandbox, { hasVisitor });
  const steps = STEPS.filter(({ onlyWithVisitor }) => hasVisitor || !onlyWithVisitor);
  say(`\nThe job, played in ${job.shop.name}:`);
  for (const [index, { title, run }] of steps.entries()) {
    const startedAtMs = performance.now();
    try {
      const outcome = await run({ ...job, patienceMs: patienceMs(title) });
      say(`  ${index + 1}  ${title} (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)\n     ${outcome}`);
    } catch (error) {
      say(
        `  ${index + 1}  ${title}: FAILED\n     ${(error as Error).message}\n     The app's log: ${sandbox.app.logFile}`,
      );
      return false;
    }
  }
  return true;
}
