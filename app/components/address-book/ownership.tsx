import { Badge, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { BookRowView } from "../../views/address-book.ts";

/** Whose a template is: a location's, with the way there, or nobody's, in words. */
export function Ownership({ ownership, location }: Pick<BookRowView, "ownership" | "location">) {
  const { t } = useTranslation("addressBook");
  if (location) return <Link url={`/app/origins/${location.legacyId}`}>{location.name}</Link>;
  if (ownership === "orphan") return <Badge tone="attention">{t("ownership.orphan")}</Badge>;
  return (
    <Text as="span" tone="subdued">
      {t(`ownership.${ownership}`)}
    </Text>
  );
}

/** The kind of address, and whether labels use it unless told otherwise. */
export function KindBadges({ addressType, isDefault }: Pick<BookRowView, "addressType" | "isDefault">) {
  const { t } = useTranslation("addressBook");
  return (
    <InlineStack gap="100">
      <Badge>{t(`type.${addressType}`, { defaultValue: addressType })}</Badge>
      {isDefault && <Badge tone="info">{t("default")}</Badge>}
    </InlineStack>
  );
}
