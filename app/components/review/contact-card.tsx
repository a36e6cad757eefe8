import { BlockStack, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { ContactFields } from "../contact/contact-fields.tsx";
import type { ContactFieldsProps } from "../contact/contact-fields.tsx";

/** Who is there and how to reach them, once for the whole store. */
export function ContactCard(props: ContactFieldsProps) {
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
}
