import { BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { HomeView } from "../../views/home.ts";
import { readyLines } from "./ready-lines.ts";

/** From how many origins labels can be made as the account stands, and what is open of those and of the others: each is told once. */
export function ReadyCard({ view }: { view: HomeView }) {
  const { t } = useTranslation("home");
  const { canShip, total } = view.origins;
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
          progress={total === 0 ? 0 : Math.round((100 * canShip) / total)}
          tone="success"
          size="small"
          ariaLabelledBy="ready-count"
        />
        <BlockStack>
          {readyLines(view, t).map((line) => (
            <Text as="p" tone="subdued" key={line}>
              {line}
            </Text>
          ))}
        </BlockStack>
        <InlineStack>
          <Button variant="plain" url="/app/origins">
            {t("ready.all")}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
