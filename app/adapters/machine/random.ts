import { randomUUID } from "node:crypto";
import type { Random } from "../../ports.ts";

/** The machine's own chance. */
export function createRandom(): Random {
  return { next: () => Math.random(), id: () => randomUUID() };
}
