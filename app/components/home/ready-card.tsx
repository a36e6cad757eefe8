import { BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "../../polaris/polaris.ts";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { HomeView, OpenOrigins } from "../../views/home.ts";

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
          {linesOf(view.origins, t).map((line) => (
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

function linesOf({ canShip, part, total, open, yours, underWay }: HomeView["origins"], t: TFunction<"home">): string[] {
  if (total === 0) return [];
  const rest = total - canShip - part;
  const line = (
    key: "ofThose" | "part" | "rest" | "each",
    count: number,
    { yours: asked, underWay: moving }: OpenOrigins,
  ) => {
    const words = [
      ...(asked > 0 ? [t("ready.yours", { count: asked })] : []),
      ...(moving > 0 ? [t("ready.underWay", { count: moving })] : []),
    ];
    if (words.length > 0) return [t(`ready.${key}`, { count, open: words.join(", ") })];
    return key === "part" && count > 0 ? [t("ready.partAlone", { count })] : [];
  };
  return [
    ...(yours + underWay === 0 ? [t("ready.allDone")] : []),
    ...line("ofThose", canShip, open.canShip),
    ...line("part", part, open.part),
    ...line(rest === total ? "each" : "rest", rest, open.rest),
  ];
}
