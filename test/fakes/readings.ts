/** Who looks, and when. What one shop of an account was shown, another does not know. */
export interface Look {
  reader: string;
  atMs: number;
}

/** A judge's memory of who was last shown which template. */
export interface Readings {
  keep(templateId: string, look: Look): void;
  /** When this reader last read the template, if lately enough to plan on. */
  before(templateId: string, look: Look): number | null;
  /** A write of its own spends the reading. */
  spend(templateId: string, reader: string): void;
}

/** What was read longer ago than this is no ground for a write: fifteen seconds of ours, a lease's length asleep, and a call's. */
const READING_HOLDS_MS = 90_000;

export function createReadings(): Readings {
  const readings = new Map<string, number>();
  return {
    keep(templateId, { reader, atMs }) {
      const key = `${reader} ${templateId}`;
      readings.set(key, Math.max(atMs, readings.get(key) ?? 0));
    },
    before(templateId, { reader, atMs }) {
      const readAtMs = readings.get(`${reader} ${templateId}`);
      return readAtMs !== undefined && atMs - readAtMs <= READING_HOLDS_MS ? readAtMs : null;
    },
    spend: (templateId, reader) => void readings.delete(`${reader} ${templateId}`),
  };
}
