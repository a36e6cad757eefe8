import type { Line } from "../tokens.ts";

/** What a run of words in a line was marked as. `plain` has no mark, `none` says "no number", `lots` is manzana or lote. */
export type PieceKind =
  "plain" | "number" | "none" | "km" | "lots" | "interior" | "colonia" | "beside" | "postal" | "borough";

/** A mark found at a token. Its value begins at `valueFrom`; the value of an open mark runs on to the next mark or break. */
export interface Mark {
  kind: PieceKind;
  valueFrom: number;
  to: number;
  open: boolean;
  /** The words alone do not tell where the value ends or what it is. */
  vague?: boolean;
  /** The value is a settlement that the list of postal codes has. */
  listed?: boolean;
}

/** Where in a line a mark is looked for. */
export interface Place {
  /** The kind of the piece that the token would continue. */
  inside: PieceKind | null;
  opensSegment: boolean;
  opensLine: boolean;
  /** A number with a mark, or a piece that only follows a number, was read before. */
  afterNumber: boolean;
  /** The words just before may be a house number without a mark. */
  afterFigure: boolean;
}

/** Looks for one kind of mark at a token. */
export type Finder = (line: Line, at: number, place: Place) => Mark | null;

/** Whether a new piece may begin here: no piece runs on that these words could belong to. */
export const isFree = ({ opensLine, opensSegment, inside, afterFigure }: Place): boolean =>
  !opensLine && (opensSegment || inside === null || inside === "interior" || inside === "beside" || afterFigure);
