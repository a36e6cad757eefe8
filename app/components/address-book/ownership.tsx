import { Badge, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { BookRowView } from "../../views/address-book.ts";

/** Which location a template stands for, with a link to it, or in words that it stands for none. */
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

/** The template's address type, and whether it is the default for labels. */
export function KindBadges({ addressType, isDefault }: Pick<BookRowView, "addressType" | "isDefault">) {
  const { t } = useTranslation("addressBook");
  return (
    <InlineStack gap="100">
      <Badge>{t(`type.${addressType}`, { defaultValue: t("type.other") })}</Badge>
      {isDefault && <Badge tone="info">{t("default")}</Badge>}
    </InlineStack>
  );
}
