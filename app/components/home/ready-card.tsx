import { BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { HomeView, OpenOrigins } from "../../views/home.ts";

/** From how many origins labels can be made as the account stands, and what is open of those and of the others: each origin is told once. */
export function ReadyCard({ view }: { view: HomeView }) {
  const { t } = useTranslation("home");
  const { canShip, total, rest, ...all } = view.origins;
  const ofThose = { yours: all.yours - rest.yours, underWay: all.underWay - rest.underWay };
  const isOpen = (open: OpenOrigins) => open.yours + open.underWay > 0;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("ready.heading")}
        </Text>
        <Text as="p" variant="headingLg" id="ready-count">
          {view.reading ? t("ready.reading") : t("ready.count", { ready: canShip, total })}
        </Text>
        <ProgressBar
          progress={total === 0 ? 0 : (100 * canShip) / total}
          tone="success"
          size="small"
          ariaLabelledBy="ready-count"
        />
        {total > 0 && (
          <BlockStack>
            {isOpen(ofThose) && (
              <Text as="p" tone="subdued">
                {t("ready.ofThose", { count: canShip, ...ofThose })}
              </Text>
            )}
            {isOpen(rest) && (
              <Text as="p" tone="subdued">
                {t("ready.rest", { ...rest })}
              </Text>
            )}
            {!isOpen(all) && (
              <Text as="p" tone="subdued">
                {t("ready.allDone")}
              </Text>
            )}
          </BlockStack>
        )}
        <InlineStack>
          <Button variant="plain" url="/app/origins">
            {t("ready.all")}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
