/** Who looks, and when. What one shop of an account was shown, another does not know. */
export interface Look {
  reader: string;
  atMs: number;
  /** When the answer comes that shows it; at once when absent. */
  toldAtMs?: number;
}

/** The oracle's memory of who was last shown which template. */
export interface Readings {
  keep(templateId: string, look: Look): void;
  /** The latest reading that this reader had been told by then, if late enough to plan on. */
  before(templateId: string, look: Look): number | null;
  /** A write of its own spends the reading. */
  spend(templateId: string, reader: string): void;
}

/** What was read longer ago than this is no ground for a write: fifteen seconds of ours, a lease's length asleep, and a call's. */
const READING_HOLDS_MS = 90_000;

export function createReadings(): Readings {
  const readings = new Map<string, Required<Look>[]>();
  return {
    keep(templateId, { reader, atMs, toldAtMs = atMs }) {
      const key = `${reader} ${templateId}`;
      const held = (readings.get(key) ?? []).filter((look) => atMs - look.atMs <= READING_HOLDS_MS);
      readings.set(key, [...held, { reader, atMs, toldAtMs }]);
    },
    before(templateId, { reader, atMs }) {
      const told = (readings.get(`${reader} ${templateId}`) ?? []).filter((look) => look.toldAtMs <= atMs);
      const readAtMs = told.length > 0 ? Math.max(...told.map((look) => look.atMs)) : null;
      return readAtMs !== null && atMs - readAtMs <= READING_HOLDS_MS ? readAtMs : null;
    },
    spend: (templateId, reader) => void readings.delete(`${reader} ${templateId}`),
  };
}

/** Apart what comes one after the other in one millisecond. */
const IN_ORDER_MS = 0.001;

/** Gives a time later than any it gave before: which of two events in one millisecond was the first decides what was seen. */
export function createOrder(): (atMs: number) => number {
  let latestMs = 0;
  return (atMs) => (latestMs = Math.max(atMs, latestMs + IN_ORDER_MS));
}
