import { Banner, BlockStack, Text } from "../../polaris/polaris.ts";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { FAULTS } from "../../domain/errors.ts";
import type { FaultKind } from "../../domain/errors.ts";
import { carrierName } from "../../domain/verification/carriers.ts";
import { isWaitReason, REASON_PLACES } from "../../domain/reason-places.ts";
import type { OriginView } from "../../views/origin.ts";
import { UnreadableWhy } from "../address-book/unreadable-banner.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { locationInShopify } from "../shell/in-shopify.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useToldAbove } from "../hooks/use-told-above.ts";
import type { ShopHealth } from "../../views/shell.ts";
import { WAITING_WORDS, waitingWords } from "../shell/waiting-words.ts";
import type { OriginActions } from "./use-origin-actions.ts";

export interface OriginBannersProps {
  view: OriginView;
  actions: OriginActions;
  /** Saves the form as it is shown, which confirms the address. */
  onSave(): void;
}

/** Why a location is no origin, where its page in the admin changes that. */
const IN_SHOPIFY: readonly string[] = ["inactive", "not_online"];

/** What needs a person here, each with its button. */
export function OriginBanners({ view, actions, onSave }: OriginBannersProps) {
  const { t } = useTranslation(["origin", "common", "addressBook", ...WAITING_WORDS]);
  const { exclusion, canInclude, refusal, answer } = { ...view, answer: actions.answer };
  const format = useFormat();
  const fails = view.failure !== null && view.state !== "waiting" && !isWaitReason(view.failure.code);
  const refusing = view.standings
    .filter(({ outcome, stale, chosen }) => chosen && outcome === "refused" && !stale)
    .map(({ carrier }) => carrierName(carrier));
  const isToldAbove = isOfConnection(useToldAbove(), view);
  const send = (intent: "include" | "makeAgain" | "unlink" | "sync" | "resume") => ({
    onAction: () => actions.send({ intent }),
    loading: actions.busy === intent,
  });
  const inShopify = { content: t("address.editInShopify"), ...locationInShopify(view.legacyId) };
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
          {...(IN_SHOPIFY.includes(exclusion) ? { [canInclude ? "secondaryAction" : "action"]: inShopify } : {})}
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
        <Banner
          tone="warning"
          title={t("carrierRefusal.title", { carriers: format.list(refusing) })}
          action={inShopify}
        >
          {t("carrierRefusal.text")}
        </Banner>
      )}
      {view.splitLapsed && view.state === "incomplete" && (
        <Banner
          tone="warning"
          title={t("lapsed.title")}
          action={{ content: t("lapsed.confirm"), onAction: onSave, loading: actions.busy === "save" }}
        >
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
      {(view.held || view.state === "waiting") && !fails && !view.paused && !isToldAbove && (
        <Banner tone="info" title={t("waiting.title")}>
          <BlockStack gap="100">
            {!saysFault(view) && <Text as="p">{waitingText(t, view)}</Text>}
            {view.failure && <FailureNote failure={view.failure} />}
          </BlockStack>
        </Banner>
      )}
    </>
  );
}

/** Whether what it waits for is what the banner above every page says, which is said once. */
function isOfConnection(told: ShopHealth | null, view: OriginView): boolean {
  if (told !== "failing") return told !== null;
  const code = view.failure?.code ?? view.reasonCode;
  return code === null || FAULTS[code as FaultKind]?.atService === true;
}

/** Whether the fault's own banner shows the words, together with the request id. */
function saysFault({ failure }: OriginView): boolean {
  return failure?.code != null && REASON_PLACES[failure.code] === "fails";
}

/** What the origin waits for. */
function waitingText(t: TFunction<["origin", "origins", "faults"]>, { connection, reasonCode }: OriginView): string {
  const state = connection?.state ?? "disconnected";
  if (state === "unconfirmed" || state === "invalid") return t(`waiting.${state}`);
  if (state !== "active") return t("waiting.noConnection");
  return reasonCode === null ? t("waiting.text") : waitingWords(t, reasonCode);
}
