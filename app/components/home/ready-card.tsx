import { BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { HomeView } from "../../views/home.ts";

/** From how many origins labels can be made as the account stands, and beside that how many are under way. */
export function ReadyCard({ view }: { view: HomeView }) {
  const { t } = useTranslation("home");
  const { canShip, yours, underWay, total } = view.origins;
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
          <Text as="p" tone="subdued">
            {yours + underWay === 0 ? t("ready.allDone") : t("ready.rest", { yours, underWay })}
          </Text>
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
