import { BlockStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { REASON_PLACES } from "../../domain/reason-places.ts";
import type { TroubleView } from "../../views/home.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { Notice } from "../shell/notice.tsx";
import { PageTop } from "../shell/page-top.tsx";
import { WAITING_WORDS, waitingWords } from "../shell/waiting-words.ts";
import { NeedRow } from "./need-row.tsx";

/** Work of the shop that keeps failing, in the list of what needs its owner. */
export function TroubleRow({ trouble: view }: { trouble: TroubleView }) {
  const { trouble, count, origins } = view;
  const { t } = useTranslation("home");
  const why = useWhy();
  const [first] = origins;
  const ways: Partial<Record<TroubleView["trouble"], { action: string; url: string }>> = {
    waiting:
      count === 1 && first
        ? { action: t("needs.open", { name: first.name }), url: `/app/origins/${first.legacyId}` }
        : { action: t("needs.see"), url: first ? "/app/origins?problem=unsaved" : "/app/address-book" },
    verification:
      count === 1 && first
        ? { action: t("needs.open", { name: first.name }), url: `/app/origins/${first.legacyId}` }
        : { action: t("needs.see"), url: "/app/origins?state=verifying" },
    template: { action: t("needs.see"), url: "/app/address-book" },
    held: { action: t("needs.see"), url: "/app/address-book" },
    // The list of origins shows the progress of the one job that runs.
    job: { action: t("needs.see"), url: "/app/origins" },
  };
  return (
    <NeedRow
      grave={false}
      text={t(`troubles.${trouble}`, { count })}
      detail={origins.map(({ name }) => name).join(", ") || undefined}
      why={why(view)}
      failure={noteOf(view)}
      way={ways[trouble] ?? null}
    />
  );
}

/** The first of them as a banner, for the page of the only origin, which has no list of needs. */
export function TroubleBanner({ troubles: [view] }: { troubles: TroubleView[] }) {
  const { t } = useTranslation("home");
  const whyOf = useWhy();
  if (!view) return null;
  const why = whyOf(view);
  return (
    <PageTop>
      <Notice tone="warning" title={t(`troubles.${view.trouble}`, { count: view.count })}>
        <BlockStack gap="100">
          {why && <Text as="p">{why}</Text>}
          <FailureNote failure={noteOf(view)} />
        </BlockStack>
      </Notice>
    </PageTop>
  );
}

/** The words of Shopify's faults are of what is read there. Flow only takes. */
function noteOf({ trouble, failure }: TroubleView): TroubleView["failure"] {
  return trouble === "flow" ? { ...failure, code: null } : failure;
}

/**
 * The reason of a trouble. The title of most troubles says what they are; a fault's reason says it. Of several reasons, it begins with
 * whose reason is shown.
 */
function useWhy(): (view: TroubleView) => string | undefined {
  const { t } = useTranslation("home");
  const { t: tWaiting } = useTranslation(WAITING_WORDS);
  return ({ trouble, count, of, failure: { code } }) => {
    if (trouble === "flow") return t("troubles.flowWhy");
    if (trouble !== "waiting" || code === null || REASON_PLACES[code] === "fails") return undefined;
    const words = waitingWords(tWaiting, code);
    return count > 1 && of !== null ? `${of}: ${words}` : words;
  };
}
