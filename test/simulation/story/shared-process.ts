import type { SlotsDatabase } from "../../../app/adapters/shipping/slots/slots-database.ts";
import type { SharedWork } from "../../../app/ports.ts";
import { throughLife, type Life } from "./sim-process.ts";

/** What a process that can die asks of the database which it shares with others. */

export function sharedThroughLife(life: Life, shared: SharedWork): SharedWork {
  const { ring, onRing, ...asked } = shared;
  return {
    ...throughLife(life, asked),
    async begin(chore, everyMs) {
      const begun = await life.call(() => shared.begin(chore, everyMs));
      return begun && throughLife(life, begun);
    },
    ring: () => void (life.dead || ring()),
    onRing,
  };
}

/** A process may die or freeze before it asks for a slot, before it hears that it has one, and before it gives one back. */
export function slotsThroughLife(life: Life, database: SlotsDatabase): SlotsDatabase {
  return {
    query: (text, values) => life.call(() => database.query(text, values)),
    turn: (text, values) => life.call(() => database.turn(text, values)),
    close: () => database.close(),
  };
}
