import { Banner, BlockStack, Text } from "@shopify/polaris";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/carriers.ts";
import { FAULTS } from "../../domain/errors.ts";
import type { FaultKind } from "../../domain/errors.ts";
import type { OriginView } from "../../use-cases/views/origin.ts";
import { UnreadableWhy } from "../address-book/unreadable-banner.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { useFormat } from "../shell/use-format.ts";
import type { OriginActions } from "./use-origin-actions.ts";

/** What fails is something else, which this waits for. */
const WAITS_FOR_OTHER: readonly unknown[] = ["book_unreadable", "held"];

/** What needs a person here, each with the button that mends it. */
export function OriginBanners({ view, actions }: { view: OriginView; actions: OriginActions }) {
  const { t } = useTranslation(["origin", "common", "addressBook"]);
  const { exclusion, canInclude, refusal, answer } = { ...view, answer: actions.answer };
  const format = useFormat();
  const fails = view.failure !== null && !WAITS_FOR_OTHER.includes(view.failure.code);
  const refusing = view.standings
    .filter(({ outcome, stale, chosen }) => chosen && outcome === "refused" && !stale)
    .map(({ carrier }) => carrierName(carrier));
  const send = (intent: "include" | "makeAgain" | "unlink" | "sync" | "resume") => ({
    onAction: () => actions.send({ intent }),
    loading: actions.busy === intent,
  });
  return (
    <>
      {answer && (answer.kind === "stale" || answer.kind === "moved" || answer.kind === "changed_since") && (
        <Banner tone="warning" title={t(`elsewhere.${answer.kind}.title`)}>
          {t(`elsewhere.${answer.kind}.text`)}
        </Banner>
      )}
      {answer && (answer.kind === "taken" || answer.kind === "already_linked") && (
        <Banner tone="critical">{t(`answer.${answer.kind}`)}</Banner>
      )}
      {exclusion && (
        <Banner
          tone="info"
          title={t(`excluded.${exclusion}.title`)}
          {...(canInclude ? { action: { content: t("excluded.include"), ...send("include") } } : {})}
        >
          {t(`excluded.${exclusion}.text`)}
        </Banner>
      )}
      {!exclusion && view.paused && (
        <Banner tone="info" title={t("paused.title")} action={{ content: t("paused.resume"), ...send("resume") }}>
          {t("paused.text")}
        </Banner>
      )}
      {view.missingSinceMs !== null && (
        <Banner
          tone="critical"
          title={t("missing.title")}
          action={{ content: t("missing.again"), ...send("makeAgain") }}
          secondaryAction={{ content: t("missing.unlink"), onAction: send("unlink").onAction }}
        >
          {t("missing.text")}
        </Banner>
      )}
      {view.unreadable && (
        <Banner tone="warning" title={t("addressBook:unreadable.one.title")}>
          <BlockStack gap="100">
            <Text as="p">{t("addressBook:unreadable.one.text")}</Text>
            <UnreadableWhy row={view.unreadable} />
          </BlockStack>
        </Banner>
      )}
      {refusal && (
        <Banner tone="critical" title={t("refusal.title")}>
          <BlockStack gap="100">
            <Text as="p">{t("refusal.text")}</Text>
            {refusal.message && (
              <Text as="p" breakWord>
                {t("common:serviceSaid", { words: refusal.message })}
              </Text>
            )}
            {refusal.requestId && (
              <Text as="p" tone="subdued" variant="bodySm">
                {t("common:requestId", { id: refusal.requestId })}
              </Text>
            )}
          </BlockStack>
        </Banner>
      )}
      {view.state === "refused_by_carrier" && (
        <Banner tone="warning" title={t("carrierRefusal.title", { carriers: format.list(refusing) })}>
          {t("carrierRefusal.text")}
        </Banner>
      )}
      {view.splitLapsed && view.state === "incomplete" && (
        <Banner tone="warning" title={t("lapsed.title")}>
          {t("lapsed.text")}
        </Banner>
      )}
      {fails && view.failure && (
        <Banner tone="warning" title={t("parked.title")} action={{ content: t("parked.again"), ...send("sync") }}>
          <BlockStack gap="100">
            <Text as="p">{t("parked.text")}</Text>
            <FailureNote failure={view.failure} />
          </BlockStack>
        </Banner>
      )}
      {(view.held || view.state === "waiting") && !fails && !view.paused && (
        <Banner tone="info" title={t("waiting.title")}>
          <BlockStack gap="100">
            <Text as="p">{waitingText(t, view)}</Text>
            {view.failure && <FailureNote failure={view.failure} />}
          </BlockStack>
        </Banner>
      )}
    </>
  );
}

/** What it waits for. */
function waitingText(t: TFunction<["origin", "common", "faults"]>, { connection, reasonCode }: OriginView): string {
  if (connection?.state !== "active") return t("waiting.noConnection");
  const fault = reasonCode === null ? undefined : FAULTS[reasonCode as FaultKind];
  if (fault) return t(`faults:${fault.messageKey}`);
  return t(`waiting.because.${reasonCode}`, { defaultValue: t("waiting.text") });
}
