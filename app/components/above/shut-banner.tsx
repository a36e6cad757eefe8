import { Banner, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { ShutView } from "../../views/shell.ts";
import { PageTop } from "../shell/page-top.tsx";
import { useFormat } from "../hooks/use-format.ts";

/** Shopify does not let us into the shop: what stops, what is kept, and what opens the shop again. */
export function ShutBanner({ shopify: { why, sinceMs } }: { shopify: ShutView }) {
  const { t } = useTranslation("shell");
  const format = useFormat();
  return (
    <PageTop>
      <Banner tone="warning" title={t(`shut.${why}.title`)}>
        <Text as="p">{t(`shut.${why}.text`, { since: format.dateTime(sinceMs) })}</Text>
      </Banner>
    </PageTop>
  );
}
