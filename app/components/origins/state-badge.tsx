import { Badge } from "../../polaris/polaris.ts";
import type { BadgeProps } from "../../polaris/polaris.ts";
import type { OriginState } from "../../domain/origin-state.ts";
import { stateWords } from "../../i18n/origin-words.ts";
import type { KnownState } from "../../i18n/origin-words.ts";
import { useWords } from "../hooks/use-words.ts";

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

export function useStateWords(): (known: KnownState) => string {
  const t = useWords();
  return (known) => stateWords(t, known);
}

/** The state of an origin as a word; the colour only repeats it. */
export function StateBadge({ known }: { known: KnownState }) {
  return <Badge {...LOOKS[known.state]}>{useStateWords()(known)}</Badge>;
}
