import { BlockStack, Card, Text } from "@shopify/polaris";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { ContactFields } from "../contact/contact-fields.tsx";
import type { ContactFieldsProps } from "../contact/contact-fields.tsx";

/** Who is there and how to reach them, once for the whole store. Drawn again only when something of it changed: the table below is typed in. */
export const ContactCard = memo(function ContactCard(props: ContactFieldsProps) {
  const { t } = useTranslation("review");
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("contact.title")}
        </Text>
        <Text as="p" tone="subdued">
          {t("contact.text")}
        </Text>
        <ContactFields {...props} />
      </BlockStack>
    </Card>
  );
});
