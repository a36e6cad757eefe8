import { Badge } from "../../polaris/polaris.ts";
import type { BadgeProps } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { OriginState } from "../../domain/origin-state.ts";

const LOOKS: Record<OriginState, Pick<BadgeProps, "tone" | "progress">> = {
  not_included: {},
  paused: {},
  to_review: { tone: "attention", progress: "incomplete" },
  incomplete: { tone: "warning", progress: "incomplete" },
  changing: { tone: "info", progress: "partiallyComplete" },
  conflict: { tone: "critical" },
  missing_there: { tone: "critical" },
  refused_by_service: { tone: "critical" },
  refused_by_carrier: { tone: "warning" },
  drift: { tone: "warning" },
  parked: { tone: "warning" },
  unverified: { tone: "attention", progress: "partiallyComplete" },
  waiting: { tone: "info", progress: "incomplete" },
  verifying: { tone: "info", progress: "partiallyComplete" },
  ready: { tone: "success", progress: "complete" },
};

export interface KnownState {
  state: OriginState;
  /** What the shop's carriers said: where it chose none, an origin without anything open is saved, and nobody verified it. */
  standings: readonly { chosen: boolean }[];
}

export function useStateWords(): (known: KnownState) => string {
  const { t } = useTranslation("origins");
  return ({ state, standings }) =>
    t(state === "ready" && !standings.some(({ chosen }) => chosen) ? "state.saved" : `state.${state}`);
}

/** The state of an origin as a word; the colour only repeats it. */
export function StateBadge({ known }: { known: KnownState }) {
  return <Badge {...LOOKS[known.state]}>{useStateWords()(known)}</Badge>;
}
