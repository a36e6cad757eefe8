import { BlockStack, Card, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { CarrierCount } from "../../views/home.ts";

const SHOWN = [
  "accepted",
  "waiting",
  "refused",
  "inconclusive",
  "no_answer",
  "before",
  "not_asked",
  "not_offered",
] as const;

/** How many origins each chosen carrier has accepted, and the carriers' answers for the others. */
export function CarriersCard({ carriers }: { carriers: CarrierCount[] }) {
  const { t } = useTranslation("home");
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("carriers.heading")}
        </Text>
        {carriers.length === 0 ? (
          <Text as="p" tone="subdued">
            {t("carriers.none")}
          </Text>
        ) : (
          <ul className="origen-list">
            {carriers.map((count) => (
              <li key={count.carrier} className="origen-pair">
                <Text as="span" fontWeight="medium">
                  {carrierName(count.carrier)}
                </Text>
                <Counts count={count} />
              </li>
            ))}
          </ul>
        )}
      </BlockStack>
    </Card>
  );
}

function Counts({ count }: { count: CarrierCount }) {
  const { t } = useTranslation("home");
  const counts = { ...count, not_asked: count.not_asked - count.before };
  const words = SHOWN.filter((said) => counts[said] > 0).map((said) => t(`carriers.${said}`, { count: counts[said] }));
  return (
    <Text as="span" tone="subdued">
      {words.length === 0 ? t("carriers.noOrigins") : words.join(" · ")}
    </Text>
  );
}
