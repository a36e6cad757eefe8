import { BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { HomeView } from "../../views/home.ts";

export function ReadyCard({ view }: { view: HomeView }) {
  const { t } = useTranslation("home");
  const { ready, total } = view.origins;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("ready.heading")}
        </Text>
        <Text as="p" variant="headingLg" id="ready-count">
          {view.reading ? t("ready.reading") : t("ready.count", { ready, total })}
        </Text>
        <ProgressBar
          progress={total === 0 ? 0 : (100 * ready) / total}
          tone="success"
          size="small"
          ariaLabelledBy="ready-count"
        />
        <InlineStack>
          <Button variant="plain" url="/app/origins">
            {t("ready.all")}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
