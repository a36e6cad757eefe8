import { Banner, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { FAULTS } from "../../domain/errors.ts";
import type { FaultView } from "../../views/shell.ts";

interface FaultBannerProps {
  fault: FaultView;
  title?: string;
  /** What to do, where it is not what the kind of fault says: nobody repeats what was asked once. */
  text?: string;
}

/** What went wrong, what to do, the service's own words, and the request's id for whoever is asked for help. */
export function FaultBanner({ fault, title, text }: FaultBannerProps) {
  const { t } = useTranslation(["faults", "common"]);
  return (
    <Banner tone="critical" title={title ?? t("common:somethingFailed")}>
      <BlockStack gap="100">
        <Text as="p">{text ?? t(`faults:${FAULTS[fault.kind].messageKey}`)}</Text>
        {fault.serviceMessage && (
          <Text as="p" breakWord>
            {t("common:serviceSaid", { words: fault.serviceMessage })}
          </Text>
        )}
        {fault.requestId && (
          <Text as="p" tone="subdued" variant="bodySm">
            {t("common:requestId", { id: fault.requestId })}
          </Text>
        )}
      </BlockStack>
    </Banner>
  );
}
