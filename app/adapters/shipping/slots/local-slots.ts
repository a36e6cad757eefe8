import type { Clock, Random } from "../../../ports.ts";
import { createPauses } from "../pauses.ts";
import { restUntil } from "./rest-until.ts";
import type { Permit, Slots } from "./slots.ts";

/**
 * The slots of a process that is the only one of its database. The line's two places are the slots themselves: whoever has a place has a
 * slot, and keeps the place while the slot rests.
 */
export function createLocalSlots({
  clock,
  random,
  opensAtMs,
}: {
  clock: Clock;
  random: Random;
  opensAtMs: number;
}): Slots {
  const pauses = createPauses({ clock, random });
  const permit: Permit = {
    isFresh: () => true,
    renew: async () => true,
    give: (freeAtMs) => restUntil(clock, freeAtMs),
  };
  return {
    take: () => permit,
    pause: (keys, said) => pauses.add(keys, said),
    flowing: (keys) => pauses.flowing(keys),
    opensAtMs: (keys) => Math.max(opensAtMs, pauses.untilMs(keys)),
    close: async () => undefined,
  };
}
