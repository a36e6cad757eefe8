import { markAt } from "./marks/find-mark.ts";
import type { Mark, PieceKind, Place } from "./marks/marks.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { DIRECTIONS, ROUTE_WORDS } from "./words.ts";

/** A run of tokens of one kind. `segment` counts the breaks before it. */
export interface Piece {
  kind: PieceKind;
  from: number;
  valueFrom: number;
  to: number;
  segment: number;
  vague: boolean;
  /** The value is a settlement that the list of postal codes has. */
  listed: boolean;
}

/**
 * Cuts a line at its breaks and marks. Every token except breaks and dashes between marks is in exactly one piece. `role` says which line it is: the first line
 * with the street, Shopify's own field for the number, or the second line.
 */
export function cutLine(line: Line, role: "street" | "number" | "second"): Piece[] {
  const pieces: Piece[] = [];
  let segment = 0;
  let open: Piece | null = null;
  let afterNumber = role === "second";
  let opensSegment = role !== "street";
  for (let at = 0; at < line.tokens.length;) {
    if (line.tokens[at]!.isBreak) {
      [open, opensSegment, afterNumber, segment, at] = [null, true, true, segment + 1, at + 1];
      continue;
    }
    // A lone dash behind a mark that has ended parts as a comma does.
    if (open === null && line.tokens[at]!.word === "-") {
      at += 1;
      continue;
    }
    const place: Place = {
      inside: open?.kind ?? null,
      opensSegment,
      opensLine: role === "street" && at === 0,
      afterNumber,
      afterFigure: endsLikeNumber(line, at),
    };
    const isBare: boolean = open !== null && open.kind === "interior" && open.valueFrom === at;
    const mark: Mark | null = isBare ? null : markAt(line, at, place);
    const last = pieces.at(-1);
    const { word } = line.tokens[at]!;
    if (open === null && !opensSegment && takesGroup(last, at) && /^[([]/.test(word) && mark === null) open = last;
    opensSegment = false;
    if (mark) {
      const piece = pieceOf(mark, at, segment);
      pieces.push(piece);
      open = mark.open ? piece : null;
      afterNumber ||= ["number", "none", "interior"].includes(mark.kind);
      at = mark.to;
    } else {
      if (open === null)
        pieces.push((open = { kind: "plain", from: at, valueFrom: at, to: at, segment, vague: false, listed: false }));
      at += 1;
      open.to = at;
    }
  }
  return pieces;
}

/** Whether the words in parentheses or brackets at a token belong to the piece before them. */
const takesGroup = (piece: Piece | undefined, at: number): piece is Piece =>
  piece?.to === at && piece.kind !== "none" && piece.kind !== "postal";

const pieceOf = (mark: Mark, from: number, segment: number): Piece => ({
  kind: mark.kind,
  from,
  valueFrom: mark.valueFrom,
  to: mark.to,
  segment,
  vague: mark.vague ?? false,
  listed: mark.listed ?? false,
});

/** Whether the words just before may be a house number without a mark: a figure that is not a road's, with its direction or letter. */
function endsLikeNumber(line: Line, at: number): boolean {
  const word = (back: number) => line.tokens[at - back]?.word ?? "";
  const isSuffix = DIRECTIONS.has(word(1)) || /^(?:[a-z]|bis)$/.test(word(1));
  const figure = isSuffix ? 2 : 1;
  return at > figure && /^\d/.test(word(figure)) && !ROUTE_WORDS.has(word(figure + 1));
}

/** A piece's value as typed. */
export const valueOf = (line: Line, piece: Piece): string => textOf(line, piece.valueFrom, piece.to);
