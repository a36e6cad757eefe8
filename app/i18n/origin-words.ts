import type { OriginState } from "../domain/origin-state.ts";
import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { Words } from "./words.ts";

/** An origin's state and its carriers' answers as text: on every page, and in a file of origins. */

export interface KnownState {
  state: OriginState;
  /** What the shop's carriers said: where it chose none, an origin without anything open is saved, and nobody verified it. */
  standings: readonly { chosen: boolean }[];
}

export function stateWords(t: Words, { state, standings }: KnownState): string {
  const isSaved = state === "ready" && !standings.some(({ chosen }) => chosen);
  return t(isSaved ? "origins:state.saved" : `origins:state.${state}`);
}

export type KnownStanding = Pick<CarrierStanding, "carrier" | "outcome" | "stale" | "status" | "meaning"> &
  Partial<CarrierStanding>;

/**
 * A carrier's answer as text; a status that nobody knows is no raw word, but an answer that decides nothing. What stands in the account is told by its meaning, as the account's.
 * It says that the carrier was asked again where the earlier answer is, or may be, for another address.
 */
export function standingWords(t: Words, { outcome, stale, meaning, question }: KnownStanding): string {
  const said =
    outcome === "seen"
      ? t("origins:carrier.seen", { words: t(`origins:carrier.${meaning}`) })
      : t(`origins:carrier.${outcome}`);
  const words = stale ? t("origins:carrier.stale", { words: said }) : said;
  return question && (stale || outcome === "seen") ? t("origins:carrier.askedSince", { words }) : words;
}
