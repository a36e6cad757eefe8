import { answerOf, saidBefore } from "../../domain/verification/carrier-standing.ts";
import type { CarrierStanding } from "../../domain/verification/carrier-standing.ts";

/**
 * The shop's carriers in one line: who says no, else who said nothing that decides, else who said nothing, else how many have accepted. `none`: the shop chose no
 * carrier, or none that verifies. `not_asked`: nobody was asked about the address as it is. `before`: nor was anybody, and so many had accepted
 * the one before the last change.
 */
export type CarriersLine =
  | { kind: "none" | "not_asked" }
  | { kind: "refused" | "inconclusive" | "no_answer"; carriers: string[] }
  | { kind: "accepted" | "part" | "before"; accepted: number; of: number };

export function carriersLine(standings: readonly CarrierStanding[]): CarriersLine {
  const chosen = standings.filter((standing) => standing.chosen);
  const answers = chosen
    .map((standing) => ({ carrier: standing.carrier, answer: answerOf(standing) }))
    .filter(({ answer }) => answer !== "not_offered");
  const saying = (asked: (typeof answers)[number]["answer"]) =>
    answers.filter(({ answer }) => answer === asked).map(({ carrier }) => carrier);
  if (answers.length === 0) return { kind: "none" };
  for (const kind of ["refused", "inconclusive", "no_answer"] as const)
    if (saying(kind).length > 0) return { kind, carriers: saying(kind) };
  if (saying("not_asked").length === answers.length) {
    const before = chosen.filter((standing) => saidBefore(standing) && standing.outcome === "accepted").length;
    return before > 0 ? { kind: "before", accepted: before, of: answers.length } : { kind: "not_asked" };
  }
  const accepted = saying("accepted").length;
  return { kind: accepted === answers.length ? "accepted" : "part", accepted, of: answers.length };
}
