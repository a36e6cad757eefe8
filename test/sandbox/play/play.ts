import type { Sandbox } from "../start.ts";
import { prepareJob } from "./job.ts";
import { STEPS } from "./steps.ts";

const PATIENCE_MS = 30_000;

export interface PlayOptions {
  say: (line: string) => void;
  /** How long a step waits for something to come about; a carrier's answer gets twice that. */
  patienceMs?: number;
}

/** Does the whole job once and says each step. Answers whether all went well; after a failure the rest is not tried. */
export async function playTheJob(sandbox: Sandbox, { say, patienceMs = PATIENCE_MS }: PlayOptions): Promise<boolean> {
  const job = prepareJob(sandbox, patienceMs);
  say(`\nThe job, played in ${job.shop.name}:`);
  for (const [index, { title, run }] of STEPS.entries()) {
    const startedAtMs = performance.now();
    try {
      const outcome = await run(job);
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
