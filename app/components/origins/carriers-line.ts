import { answerOf } from "../../domain/verification/carrier-standing.ts";
import type { CarrierStanding } from "../../domain/verification/carrier-standing.ts";

/**
 * The shop's carriers in one line: who says no, else who said nothing that decides, else how many have accepted. `none`: the shop chose no
 * carrier, or none that verifies. `not_asked`: nobody was asked about the address as it is.
 */
export type CarriersLine =
  | { kind: "none" | "not_asked" }
  | { kind: "refused" | "inconclusive"; carriers: string[] }
  | { kind: "accepted" | "part"; accepted: number; of: number };

export function carriersLine(standings: readonly CarrierStanding[]): CarriersLine {
  const answers = standings
    .filter(({ chosen }) => chosen)
    .map((standing) => ({ carrier: standing.carrier, answer: answerOf(standing) }))
    .filter(({ answer }) => answer !== "not_offered");
  const saying = (asked: (typeof answers)[number]["answer"]) =>
    answers.filter(({ answer }) => answer === asked).map(({ carrier }) => carrier);
  if (answers.length === 0) return { kind: "none" };
  for (const kind of ["refused", "inconclusive"] as const)
    if (saying(kind).length > 0) return { kind, carriers: saying(kind) };
  if (saying("not_asked").length === answers.length) return { kind: "not_asked" };
  const accepted = saying("accepted").length;
  return { kind: accepted === answers.length ? "accepted" : "part", accepted, of: answers.length };
}
