/** A story for reading: for each event a line with when, who and what. It costs nothing unless somebody asks for it. */
export interface Timeline {
  /** `what` is called only if somebody listens. */
  tell(who: Teller, what: () => string): void;
}

export type Teller = "shopify" | "owner" | "service" | "stranger" | "app" | "machine" | "oracle";

export function createTimeline(nowMs: () => number, line: ((line: string) => void) | undefined): Timeline {
  const startMs = nowMs();
  return {
    tell(who, what) {
      if (line) line(`${clockOf(nowMs() - startMs)}  ${who.padEnd(8)}  ${what()}`);
    },
  };
}

/** Minutes, seconds, milliseconds since the story began. */
export function clockOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor((ms % 60_000) / 1_000);
  return `${String(minutes).padStart(3)}:${pad(seconds, 2)}.${pad(ms % 1_000, 3)}`;
}

function pad(value: number, places: number): string {
  return String(Math.floor(value)).padStart(places, "0");
}

/** Objects in few characters: the fields that a request sets, and no others. */
export function brief(value: unknown): string {
  if (value === null || typeof value !== "object") return String(value);
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return `{${entries.map(([name, each]) => `${name}: ${brief(each)}`).join(", ")}}`;
}
