import type { OriginsQuery } from "../../views/origins.ts";

/** The command that the list sends to its action. */
export interface OriginsIntent {
  intent: "sync" | "verify" | "pause" | "resume";
  /** `filter`: every location that `query` matches, on all pages. */
  locationIds: string[] | "filter";
  query: OriginsQuery;
}

export type OriginsAnswer =
  | { kind: "started"; count: number }
  | { kind: "busy" }
  | { kind: "nothing" }
  /** `changed`: those that were not so before, which an undo puts back. */
  | { kind: "paused" | "resumed"; count: number; changed: string[] };
