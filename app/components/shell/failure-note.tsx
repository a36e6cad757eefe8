import { BlockStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { FAULTS } from "../../domain/errors.ts";
import type { FaultKind } from "../../domain/errors.ts";
import type { FailureView } from "../../views/failure.ts";
import { useFormat } from "../hooks/use-format.ts";

/** Why something keeps failing, in the app's words and the service's, since when, and the request id for support. */
export function FailureNote({ failure }: { failure: FailureView }) {
  const { t } = useTranslation(["common", "faults", "origins"]);
  const format = useFormat();
  const { code, serviceMessage, requestId, sinceMs, waits } = failure;
  const fault = code === null ? undefined : FAULTS[code as FaultKind];
  return (
    <BlockStack gap="100">
      {fault && <Text as="p">{t(`faults:${fault.messageKey}`)}</Text>}
      {serviceMessage && (
        <Text as="p" breakWord>
          {t("serviceSaid", { words: serviceMessage })}
        </Text>
      )}
      {sinceMs !== null && (
        <Text as="p" tone="subdued">
          {t(waits ? "waitingSince" : "firstFailed", { when: format.dateTime(sinceMs) })}
        </Text>
      )}
      {requestId && (
        <Text as="p" tone="subdued" variant="bodySm" breakWord>
          {t("requestId", { id: requestId })}
        </Text>
      )}
    </BlockStack>
  );
}
