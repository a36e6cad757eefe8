import { Badge, InlineStack, Text } from "../../polaris/polaris.ts";
import type { BadgeProps } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { CarrierStanding } from "../../domain/verification/carrier-standing.ts";
import { standingWords } from "../../i18n/origin-words.ts";
import type { KnownStanding } from "../../i18n/origin-words.ts";
import { useWords } from "../hooks/use-words.ts";

const TONES: Record<CarrierStanding["outcome"], BadgeProps["tone"]> = {
  wanted: "info",
  pending: "info",
  accepted: "success",
  refused: "critical",
  unknown: "attention",
  not_offered: undefined,
  no_answer: "warning",
  seen: undefined,
  not_asked: undefined,
};

/** A carrier's answer as text. */
export function useStandingWords(): (standing: KnownStanding) => string {
  const t = useWords();
  return (standing) => standingWords(t, standing);
}

export function CarrierBadge({ standing, named = true }: { standing: KnownStanding; named?: boolean }) {
  const words = useStandingWords()(standing);
  const tone = standing.stale ? "attention" : TONES[standing.outcome];
  return <Badge {...(tone ? { tone } : {})}>{named ? `${carrierName(standing.carrier)}: ${words}` : words}</Badge>;
}

export function CarrierBadges({ standings }: { standings: KnownStanding[] }) {
  const { t } = useTranslation("origins");
  const silent = standings.every(({ outcome }) => outcome === "not_asked");
  if (silent) {
    return (
      <Text as="span" tone="subdued">
        {t(standings.length === 0 ? "carrier.none" : "carrier.not_asked")}
      </Text>
    );
  }
  return (
    <InlineStack gap="100" wrap>
      {standings.map((standing) => (
        <CarrierBadge key={standing.carrier} standing={standing} />
      ))}
    </InlineStack>
  );
}
