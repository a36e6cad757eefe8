import { createSeededRandom } from "../fakes/random.ts";
import { createGenerator } from "./generate.ts";
import type { createSender } from "./sender.ts";
import type { Stage } from "./stage.ts";

/** What a use case answers; 400 and 401 are refused before it. */
const FROM_A_USE_CASE = new Set([200, 404, 409, 422]);
const AT_ONCE = 8;

export interface AttackOptions {
  requests: number;
  seed: number;
  /** Told how many have been sent. */
  onProgress?: (sent: number) => void;
}

/** Sends generated requests, some at a time. `reached`: which part of all of them came as far as a use case. */
export async function attack(
  stage: Stage,
  { send }: ReturnType<typeof createSender>,
  { requests, seed, onProgress = () => undefined }: AttackOptions,
): Promise<{ reached: number }> {
  const next = createGenerator(stage, createSeededRandom(seed));
  let sent = 0;
  let reached = 0;
  const one = async (): Promise<void> => {
    while (sent < requests) {
      sent += 1;
      if (sent % 5_000 === 0) onProgress(sent);
      const { sent: request, whole } = next();
      const { status } = await send(request);
      if (whole && FROM_A_USE_CASE.has(status)) reached += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return { reached: reached / requests };
}
