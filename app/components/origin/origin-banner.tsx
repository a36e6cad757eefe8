import { BlockStack, Text } from "../../polaris/polaris.ts";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import { isDisconnected } from "../../domain/closed-reason.ts";
import { REASON_PLACES } from "../../domain/reason-places.ts";
import type { OriginView } from "../../views/origin.ts";
import { UnreadableWhy } from "../address-book/unreadable-banner.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { Notice } from "../shell/notice.tsx";
import { locationInShopify } from "../shell/in-shopify.ts";
import { saidByService } from "../../i18n/entry-words.ts";
import { useWords } from "../hooks/use-words.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useToldAbove } from "../hooks/use-told-above.ts";
import { WAITING_WORDS, waitingWords } from "../shell/waiting-words.ts";
import { isToGo } from "./address-words.ts";
import { originNotice } from "./origin-notice.ts";
import type { OriginActions } from "./use-origin-actions.ts";

export interface OriginBannerProps {
  view: OriginView;
  actions: OriginActions;
  /** Saves the form as it is shown, which confirms the address. */
  onSave(): void;
}

/** Why a location is no origin, where its page in the admin changes that. */
const IN_SHOPIFY: readonly string[] = ["inactive", "not_online"];

/** Whether the service's refusal stands beside a field. */
function isMarked({ fields }: OriginView): boolean {
  return fields.some(({ serviceMessages }) => serviceMessages.length > 0);
}

/** What needs a person here first, with its button. */
export function OriginBanner({ view, actions, onSave }: OriginBannerProps) {
  const { t } = useTranslation(["origin", "common", "addressBook", ...WAITING_WORDS]);
  const { exclusion, canInclude, refusal } = view;
  const { answer } = actions;
  const format = useFormat();
  const words = useWords();
  const told = useToldAbove();
  const refused = refusal?.message ? saidByService(words, refusal.message) : null;
  const send = (intent: "include" | "makeAgain" | "unlink" | "sync" | "resume") => ({
    onAction: () => actions.send({ intent }),
    loading: actions.busy === intent,
  });
  const inShopify = { content: t("address.editInShopify"), ...locationInShopify(view.legacyId) };
  switch (originNotice(view, { answer: answer?.kind ?? null, told })) {
    case null:
      return null;
    case "elsewhere": {
      const { kind } = answer as { kind: "stale" | "moved" | "changed_since" };
      return (
        <Notice tone="warning" title={t(`elsewhere.${kind}.title`)}>
          {t(`elsewhere.${kind}.text`)}
        </Notice>
      );
    }
    case "taken":
      return <Notice tone="critical">{t(`answer.${(answer as { kind: "taken" | "already_linked" }).kind}`)}</Notice>;
    case "excluded":
      return (
        <Notice
          tone="info"
          title={t(`excluded.${exclusion!}.title`)}
          {...(canInclude ? { action: { content: t("excluded.include"), ...send("include") } } : {})}
          {...(IN_SHOPIFY.includes(exclusion!) ? { [canInclude ? "secondaryAction" : "action"]: inShopify } : {})}
        >
          {isToGo(view) ? (
            <BlockStack gap="100">
              <Text as="p">{t("excluded.goes")}</Text>
              {view.failure && told === null && <FailureNote failure={view.failure} />}
            </BlockStack>
          ) : (
            t(`excluded.${exclusion!}.text`)
          )}
        </Notice>
      );
    case "paused":
      return (
        <Notice tone="info" title={t("paused.title")} action={{ content: t("paused.resume"), ...send("resume") }}>
          {t("paused.text")}
        </Notice>
      );
    case "missing":
      return (
        <Notice
          tone="critical"
          title={t("missing.title")}
          action={{ content: t("missing.again"), ...send("makeAgain") }}
          secondaryAction={{ content: t("missing.unlink"), onAction: send("unlink").onAction }}
        >
          {t("missing.text")}
        </Notice>
      );
    case "unreadable":
      return (
        <Notice tone="warning" title={t("addressBook:unreadable.one.title")}>
          <BlockStack gap="100">
            <Text as="p">{t("addressBook:unreadable.one.text")}</Text>
            <UnreadableWhy row={view.unreadable!} />
          </BlockStack>
        </Notice>
      );
    case "refusal":
      return (
        <Notice
          tone="critical"
          title={t(view.template && view.missingSinceMs === null ? "refusal.change" : "refusal.title")}
        >
          <BlockStack gap="100">
            <Text as="p">{t(isMarked(view) ? "refusal.text" : "refusal.unmarked")}</Text>
            {refused && (
              <Text as="p" breakWord>
                {refused}
              </Text>
            )}
            {refusal!.requestId && (
              <Text as="p" tone="subdued" variant="bodySm">
                {t("common:requestId", { id: refusal!.requestId })}
              </Text>
            )}
          </BlockStack>
        </Notice>
      );
    case "carrierRefusal":
      return (
        <Notice
          tone="warning"
          title={t("carrierRefusal.title", { carriers: format.list(refusing(view)) })}
          action={inShopify}
        >
          {t("carrierRefusal.text")}
        </Notice>
      );
    case "lapsed":
      return (
        <Notice
          tone="warning"
          title={t("lapsed.title")}
          action={{ content: t("lapsed.confirm"), onAction: onSave, loading: actions.busy === "save" }}
        >
          {t("lapsed.text")}
        </Notice>
      );
    case "fails":
      return (
        <Notice tone="warning" title={t("parked.title")} action={{ content: t("parked.again"), ...send("sync") }}>
          <BlockStack gap="100">
            <Text as="p">{t("parked.text")}</Text>
            <FailureNote failure={view.failure!} />
          </BlockStack>
        </Notice>
      );
    case "waiting":
      // Perhaps nothing is to be saved: what is known of it is not the account's any more.
      if (isDisconnected(view.connection))
        return (
          <Notice
            tone="info"
            title={t("waiting.noConnection.title")}
            action={{ content: t("addressBook:empty.connect"), url: "/app/settings#connection" }}
          >
            {t("waiting.noConnection.text")}
          </Notice>
        );
      return (
        <Notice tone="info" title={t("waiting.title")}>
          <BlockStack gap="100">
            {!saysFault(view) && <Text as="p">{waitingText(t, view)}</Text>}
            {view.failure && <FailureNote failure={view.failure} />}
          </BlockStack>
        </Notice>
      );
  }
}

function refusing({ standings }: OriginView): string[] {
  return standings
    .filter(({ outcome, stale, chosen }) => chosen && outcome === "refused" && !stale)
    .map(({ carrier }) => carrierName(carrier));
}

/** Whether the fault's own banner shows the words, together with the request id. */
function saysFault({ failure }: OriginView): boolean {
  return failure?.code != null && REASON_PLACES[failure.code] === "fails";
}

/** What the origin waits for. */
function waitingText(t: TFunction<["origin", "origins", "faults"]>, { connection, reasonCode }: OriginView): string {
  const state = connection?.state;
  if (state === "unconfirmed" || state === "invalid") return t(`waiting.${state}`);
  return reasonCode === null ? t("waiting.text") : waitingWords(t, reasonCode);
}
