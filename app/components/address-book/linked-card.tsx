import { BlockStack, Button, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { ADDRESS_FIELDS } from "../../domain/address/address.ts";
import type { TemplateView } from "../../views/address-book.ts";
import { useFormat } from "../hooks/use-format.ts";
import { locationInShopify } from "../shell/in-shopify.ts";
import { DETAILS_ID } from "../origin/use-open-form.ts";

interface LinkedCardProps {
  view: TemplateView;
  location: NonNullable<TemplateView["location"]>;
}

/** The address that stands for a location, to be read here and edited as the location's details: one place says what is meant. */
export function LinkedCard({ view, location }: LinkedCardProps) {
  const { t } = useTranslation(["addressBook", "common"]);
  const { country } = useFormat();
  const said = ADDRESS_FIELDS.flatMap((field) => {
    const value = view.address[field];
    return value ? [{ field, value: field === "country_code" ? country(value) : value }] : [];
  });
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="200">
          <Text as="h2" variant="headingMd">
            {t("ruled.title", { name: location.name })}
          </Text>
          <Text as="p">{t("ruled.text")}</Text>
          <InlineStack gap="300" blockAlign="center">
            <Button variant="primary" url={`/app/origins/${location.legacyId}#${DETAILS_ID}`}>
              {t("ruled.open")}
            </Button>
            <Button variant="plain" {...locationInShopify(location.legacyId)}>
              {t("ruled.inShopify")}
            </Button>
          </InlineStack>
        </BlockStack>
        <ul className="origen-list" aria-label={t("ruled.there")}>
          {said.map(({ field, value }) => (
            <li key={field} className="origen-pair">
              <Text as="span" tone="subdued">
                {t(`common:fields.${field}`)}
              </Text>
              <Text as="span" breakWord>
                {value}
              </Text>
            </li>
          ))}
        </ul>
      </BlockStack>
    </Card>
  );
}
