import { Banner, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";

/** For the second of two people who edit the same thing: nothing was saved, and the typed values stay until the person discards them. */
export function StaleBanner({ onReload }: { onReload: () => void }) {
  const { t } = useTranslation("common");
  return (
    <Banner
      tone="warning"
      title={t("changedElsewhere.title")}
      action={{ content: t("changedElsewhere.reload"), onAction: onReload }}
    >
      <Text as="p">{t("changedElsewhere.text")}</Text>
    </Banner>
  );
}
