import { Banner, BlockStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { FAULTS } from "../../domain/errors.ts";
import type { FaultView } from "../../views/shell.ts";

interface FaultBannerProps {
  fault: FaultView;
  title?: string;
  /** What to do, where the advice for the kind of fault does not fit. A request that was sent once is not repeated, for example. */
  text?: string;
}

/** What went wrong, what to do, the service's own words, and the request id for support. */
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
