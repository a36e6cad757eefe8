import { BlockStack, Button, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { LOCATIONS_IN_SHOPIFY } from "../shell/in-shopify.ts";

/** The store has no origin yet, and where its locations are added. */
export function NothingYet() {
  const { t } = useTranslation(["home", "origins"]);
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Text as="p">{t("needs.nothingYet")}</Text>
      <Button {...LOCATIONS_IN_SHOPIFY}>{t("origins:empty.action")}</Button>
    </BlockStack>
  );
}
