/** A reader and the time of its reading. What one shop of an account was shown, the account's other shops do not know. */
export interface Look {
  reader: string;
  atMs: number;
  /** When the answer with the reading arrives; at once when absent. */
  toldAtMs?: number;
  /** How much older what it shows is than the answer, where a GET is behind: `atMs` is of what it shows. */
  behindMs?: number;
}

/** The oracle's memory of when each reader was last shown each template. */
export interface Readings {
  keep(templateId: string, look: Look): void;
  /** The latest reading of which the reader had been told by then, if it is young enough for a plan. */
  before(templateId: string, look: Look): number | null;
  /**
   * An answer with a reading has just come to a process that may be stopped: the reader is told once that process has read it, and never if
   * it is killed before. Gives what to call then.
   */
  unheard(templateId: string, told: { reader: string; toldAtMs: number }): (heardAtMs: number) => void;
  /** A write of the reader's own uses up the reading. */
  spend(templateId: string, reader: string): void;
}

/** An older reading is no basis for a write: it allows for our fifteen seconds, the length of a lease asleep, and the length of a call. */
const READING_HOLDS_MS = 90_000;

function holds(look: Required<Look>, nowMs: number): boolean {
  return nowMs - look.atMs - look.behindMs <= READING_HOLDS_MS;
}

export function createReadings(): Readings {
  const readings = new Map<string, Required<Look>[]>();
  return {
    keep(templateId, { reader, atMs, toldAtMs = atMs, behindMs = 0 }) {
      const key = `${reader} ${templateId}`;
      const held = (readings.get(key) ?? []).filter((look) => holds(look, atMs + behindMs));
      readings.set(key, [...held, { reader, atMs, toldAtMs, behindMs }]);
    },
    before(templateId, { reader, atMs }) {
      const told = (readings.get(`${reader} ${templateId}`) ?? []).filter(
        (look) => look.toldAtMs <= atMs && holds(look, atMs),
      );
      // A plan rests on its GET, though a list has shown more: nobody can tell a GET that is behind somebody's change from their taking it back.
      const behind = told.findLast((look) => look.behindMs > 0);
      if (behind) return behind.atMs;
      return told.length > 0 ? Math.max(...told.map((look) => look.atMs)) : null;
    },
    unheard(templateId, { reader, toldAtMs }) {
      const looks = (readings.get(`${reader} ${templateId}`) ?? []).filter((look) => look.toldAtMs === toldAtMs);
      for (const look of looks) look.toldAtMs = Infinity;
      return (heardAtMs) => looks.forEach((look) => (look.toldAtMs = heardAtMs));
    },
    spend: (templateId, reader) => void readings.delete(`${reader} ${templateId}`),
  };
}

/** The distance between events that follow each other within one millisecond. */
const IN_ORDER_MS = 0.001;

/** Returns a time later than any it returned before. Of two events in one millisecond, which was first decides what was seen. */
export function createOrder(): (atMs: number) => number {
  let latestMs = 0;
  return (atMs) => (latestMs = Math.max(atMs, latestMs + IN_ORDER_MS));
}
