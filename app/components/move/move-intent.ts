import type { FieldProblem, PlaceField } from "../../domain/address/address.ts";

/** What the page of a move asks for. */
export type MoveIntent =
  | { intent: "plan"; place: Record<PlaceField, string>; hour: string | null; keepFormer: boolean }
  | { intent: "day"; hour: string | null; keepFormer: boolean }
  | { intent: "press"; anyway: boolean }
  | { intent: "again" | "cancel" }
  | { intent: "settle"; keep: "held" | "shopify"; revision: number; readFrom: string };

export type MoveAnswer = { intent: MoveIntent["intent"] } & (
  | { kind: "done"; progress: { kind: string } }
  | { kind: "asked"; asks: "missing" | "refused" | "taken" | "no_origin" }
  | { kind: "invalid"; problems: FieldProblem[] }
  | { kind: "hour" | "no_origin" | "test_account" | "on_hold" | "changed_since" }
);
