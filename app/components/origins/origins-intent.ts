import type { OriginsQuery } from "../../views/origins.ts";

/** What the list asks of its action. */
export interface OriginsIntent {
  intent: "sync" | "verify" | "pause" | "resume";
  /** `filter`: every location of `query`, all pages. */
  locationIds: string[] | "filter";
  query: OriginsQuery;
}

export type OriginsAnswer =
  | { kind: "started"; count: number }
  | { kind: "busy" }
  | { kind: "nothing" }
  | { kind: "paused"; count: number }
  | { kind: "resumed"; count: number };
