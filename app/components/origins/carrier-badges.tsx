import { Badge, InlineStack, Text } from "../../polaris/polaris.ts";
import type { BadgeProps } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { CarrierStanding } from "../../domain/verification/carrier-standing.ts";

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

type Standing = Pick<CarrierStanding, "carrier" | "outcome" | "stale" | "status" | "meaning"> &
  Partial<CarrierStanding>;

/**
 * A carrier's answer as text; a status that nobody knows is no raw word, but an answer that decides nothing. What stands in the account is told by its meaning, as the account's.
 * It says that the carrier was asked again where the earlier answer is, or may be, for another address.
 */
export function useStandingWords(): (standing: Standing) => string {
  const { t } = useTranslation("origins");
  return ({ outcome, stale, meaning, question }) => {
    const said = outcome === "seen" ? t("carrier.seen", { words: t(`carrier.${meaning}`) }) : t(`carrier.${outcome}`);
    const words = stale ? t("carrier.stale", { words: said }) : said;
    return question && (stale || outcome === "seen") ? t("carrier.askedSince", { words }) : words;
  };
}

export function CarrierBadge({ standing, named = true }: { standing: Standing; named?: boolean }) {
  const words = useStandingWords()(standing);
  const tone = standing.stale ? "attention" : TONES[standing.outcome];
  return <Badge {...(tone ? { tone } : {})}>{named ? `${carrierName(standing.carrier)}: ${words}` : words}</Badge>;
}

export function CarrierBadges({ standings }: { standings: Standing[] }) {
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
