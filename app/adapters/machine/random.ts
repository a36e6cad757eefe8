import { randomUUID } from "node:crypto";
import type { Random } from "../../ports.ts";

/** Random numbers and ids of the machine. */
export function createRandom(): Random {
  return { next: () => Math.random(), id: () => randomUUID() };
}
