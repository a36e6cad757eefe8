import { BlockStack, Button, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { MoveView } from "../../views/origin.ts";
import { Lines } from "./coming-card.tsx";
import type { MoveActions } from "./use-move.ts";

/** Shopify shows another address than the one that holds: its owner may choose. */
export function HeldCard({ view, actions }: { view: MoveView; actions: MoveActions }) {
  const { t } = useTranslation("move");
  const { send, busy } = actions;
  const { held } = view;
  if (!held) return null;
  const { revision, readFrom } = held;
  const settle = (keep: "held" | "shopify") => () => send({ intent: "settle", keep, revision, readFrom });
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          {t(held.isElsewhere ? "held.elsewhere" : `held.${held.why}`)}
        </Text>
        <Text as="p" fontWeight="semibold">
          {t("held.here")}
        </Text>
        <Lines lines={view.now} />
        <Text as="p" fontWeight="semibold">
          {t("held.inShopify")}
        </Text>
        <Lines lines={held.shopifyLines} />
        <InlineStack gap="200">
          {held.isElsewhere && (
            <Button loading={busy === "settle"} onClick={settle("held")}>
              {t("held.keep")}
            </Button>
          )}
          {(held.isElsewhere || held.why === "moved") && (
            <Button loading={busy === "settle"} onClick={settle("shopify")}>
              {t("held.shopify")}
            </Button>
          )}
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
