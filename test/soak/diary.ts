/** What happened in a soak, in order, so that every finding can be told as a story. */
export interface Diary {
  /** `about`: ids of locations and templates, or `all` for what concerns every one. */
  note(about: string | readonly string[], text: string): void;
  /** Adds one to the count of an act, a fault or the like. */
  count(name: string): void;
  counts(): Record<string, number>;
  /** The lines about any of the ids and those about all, oldest first, with the seconds since the beginning. */
  about(ids: readonly string[]): string[];
}

export interface DiaryEntry {
  atMs: number;
  text: string;
}

/** Lines about all, most of them kills, belong to a story only if they are this close to its own events. */
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
