/** What happened in a soak, in order: enough to tell the story of whatever went wrong. */
export interface Diary {
  /** `about`: ids of locations and templates, or `all` for what concerns everybody. */
  note(about: string | readonly string[], text: string): void;
  /** Adds to the count of acts, faults and the like, by name. */
  count(name: string): void;
  counts(): Record<string, number>;
  /** Lines about any of the ids and about everybody, oldest first, in seconds since the beginning. */
  about(ids: readonly string[]): string[];
}

export interface DiaryEntry {
  atMs: number;
  text: string;
}

/** Of what concerns everybody, kills above all, a story needs what is near its own events. */
const NEAR_MS = 20_000;

export function createDiary(startedAtMs: number): Diary {
  const entries: { atMs: number; about: readonly string[]; text: string }[] = [];
  const counts: Record<string, number> = {};
  return {
    note(about, text) {
      entries.push({ atMs: Date.now(), about: typeof about === "string" ? [about] : about, text });
    },
    count: (name) => void (counts[name] = (counts[name] ?? 0) + 1),
    counts: () => Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))),
    about(ids) {
      const own = entries.filter(({ about }) => about.some((id) => ids.includes(id)));
      const near = ({ atMs }: DiaryEntry) => own.some((entry) => Math.abs(entry.atMs - atMs) <= NEAR_MS);
      return entries
        .filter((entry) => own.includes(entry) || (entry.about.includes("all") && near(entry)))
        .map((entry) => lineOf(entry, startedAtMs));
    },
  };
}

export function lineOf({ atMs, text }: DiaryEntry, startedAtMs: number): string {
  return `${((atMs - startedAtMs) / 1_000).toFixed(1).padStart(8)} s  ${text}`;
}
