import { Badge, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAnnounce } from "../shell/announcer.tsx";

/** The optional scopes of shopify.app.toml: what the order page's block reads with. */
const ORDER_SCOPES = [
  "read_orders",
  "read_merchant_managed_fulfillment_orders",
  "read_assigned_fulfillment_orders",
] as const;

type Access = "unknown" | "granted" | "not_granted" | "asking" | "declined" | "unavailable";

/** Asks Shopify for the order scopes; installing asks for the locations only. */
export function OrderAccess() {
  const { t } = useTranslation("settings");
  const announce = useAnnounce();
  const [access, setAccess] = useState<Access>("unknown");

  useEffect(() => {
    let left = false;
    queryAccess().then(
      (known) => !left && setAccess(known),
      () => !left && setAccess("unavailable"),
    );
    return () => {
      left = true;
    };
  }, []);

  async function ask() {
    setAccess("asking");
    try {
      const { result } = await window.shopify.scopes.request([...ORDER_SCOPES]);
      const now = result === "granted-all" ? "granted" : "declined";
      setAccess(now);
      announce(t(`orders.${now}`));
    } catch {
      setAccess("unavailable");
    }
  }

  const granted = access === "granted";
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="p">{t("orders.why")}</Text>
        <InlineStack gap="300" blockAlign="center">
          <Badge tone={granted ? "success" : undefined}>{granted ? t("orders.granted") : t("orders.notGranted")}</Badge>
          {!granted && (
            <Button onClick={() => void ask()} loading={access === "asking"} disabled={access === "unknown"}>
              {t("orders.ask")}
            </Button>
          )}
        </InlineStack>
        {(access === "declined" || access === "unavailable") && <Text as="p">{t(`orders.${access}`)}</Text>}
      </BlockStack>
    </Card>
  );
}

async function queryAccess(): Promise<Access> {
  const { granted } = await window.shopify.scopes.query();
  return ORDER_SCOPES.every((scope) => (granted as string[]).includes(scope)) ? "granted" : "not_granted";
}
