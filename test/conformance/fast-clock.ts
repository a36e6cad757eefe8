import { createMachine, createProcessClock } from "../../app/adapters/machine/clock.ts";
import type { Clock } from "../../app/ports.ts";

/** How many times faster than the machine's. */
export const FASTER = 20;

/** A clock that goes faster than the machine's, for what mostly waits. */
export function createFastClock(): Clock {
  const machine = createMachine();
  const beganMs = Date.now();
  const monotonicMs = () => machine.monotonicMs() * FASTER;
  return createProcessClock({
    monotonicMs,
    machineMs: () => beganMs + monotonicMs(),
    sleep: (ms, signal) => machine.sleep(ms / FASTER, signal),
    after: (ms, call) => machine.after(ms / FASTER, call),
    turn: machine.turn,
  });
}
