import { markAt } from "./marks.ts";
import type { Mark, PieceKind, Place } from "./marks.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";

/** A run of tokens of one kind. `segment` counts the breaks before it. */
export interface Piece {
  kind: PieceKind;
  from: number;
  valueFrom: number;
  to: number;
  segment: number;
  vague: boolean;
}

/** Cuts a line at its breaks and marks. Every token but the breaks is in exactly one piece. */
export function cutLine(line: Line, role: "street" | "second"): Piece[] {
  const pieces: Piece[] = [];
  let segment = 0;
  let open: Piece | null = null;
  let afterNumber = role === "second";
  let opensSegment = role === "second";
  for (let at = 0; at < line.tokens.length;) {
    if (line.tokens[at]!.isBreak) {
      [open, opensSegment, afterNumber, segment, at] = [null, true, true, segment + 1, at + 1];
      continue;
    }
    const place: Place = {
      inside: open === null || open.kind === "plain" ? null : open.kind,
      opensSegment,
      opensLine: role === "street" && at === 0,
      afterNumber: afterNumber || endsLikeNumber(line, at),
    };
    const mark = markAt(line, at, place);
    opensSegment = false;
    if (mark) {
      const piece = pieceOf(mark, at, segment);
      pieces.push(piece);
      open = mark.open ? piece : null;
      afterNumber ||= ["number", "none", "interior"].includes(mark.kind);
      at = mark.to;
    } else {
      if (open === null)
        pieces.push((open = { kind: "plain", from: at, valueFrom: at, to: at, segment, vague: false }));
      at += 1;
      open.to = at;
    }
  }
  return pieces;
}

const pieceOf = (mark: Mark, from: number, segment: number): Piece => ({
  kind: mark.kind,
  from,
  valueFrom: mark.valueFrom,
  to: mark.to,
  segment,
  vague: mark.vague ?? false,
});

/** Whether a bare house number may just have ended: a figure after at least two words. */
const endsLikeNumber = (line: Line, at: number): boolean =>
  at >= 2 && [at - 1, at - 2].some((back) => back >= 1 && /^\d/.test(line.tokens[back]!.word));

/** A piece's value as typed. */
export const valueOf = (line: Line, piece: Piece): string => textOf(line, piece.valueFrom, piece.to);
