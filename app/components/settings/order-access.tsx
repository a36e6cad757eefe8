import { Badge, BlockStack, Button, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { useAnnounce } from "../shell/announcer.tsx";
import { useOrderAccess } from "../hooks/use-order-access.ts";

/** Settings' card of it. */
export function OrderAccess() {
  return (
    <Card>
      <OrderAccessChoice />
    </Card>
  );
}

/** Asks Shopify for the order scopes, which the order page's block reads with. */
export function OrderAccessChoice() {
  const { t } = useTranslation("settings");
  const announce = useAnnounce();
  const { access, ask } = useOrderAccess();
  const granted = access === "granted";
  const asking = access === "unknown" || access === "asking";
  return (
    <BlockStack gap="300">
      <Text as="p">{t("orders.why")}</Text>
      <InlineStack gap="300" blockAlign="center">
        <Badge {...(granted ? { tone: "success" } : {})}>
          {t(granted ? "orders.granted" : asking ? "orders.checking" : "orders.notGranted")}
        </Badge>
        {!granted && access !== "unknown" && (
          <Button onClick={() => void ask().then((now) => announce(t(`orders.${now}`)))} loading={access === "asking"}>
            {t("orders.ask")}
          </Button>
        )}
      </InlineStack>
      {(access === "declined" || access === "unavailable") && <Text as="p">{t(`orders.${access}`)}</Text>}
    </BlockStack>
  );
}
