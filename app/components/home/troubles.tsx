import { Banner, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { REASON_PLACES } from "../../domain/reason-places.ts";
import type { TroubleView } from "../../views/home.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { PageTop } from "../shell/page-top.tsx";
import { WAITING_WORDS, waitingWords } from "../shell/waiting-words.ts";
import { NeedRow } from "./need-row.tsx";

/** Something of the shop that keeps failing, among what needs its owner. */
export function TroubleRow({ trouble: { trouble, count, failure, origins } }: { trouble: TroubleView }) {
  const { t } = useTranslation("home");
  const { t: tWaiting } = useTranslation(WAITING_WORDS);
  const [first] = origins;
  const ways: Partial<Record<TroubleView["trouble"], { action: string; url: string }>> = {
    waiting:
      count === 1 && first
        ? { action: t("needs.open", { name: first.name }), url: `/app/origins/${first.legacyId}` }
        : { action: t("needs.see"), url: first ? "/app/origins?state=waiting" : "/app/address-book" },
    verification:
      count === 1 && first
        ? { action: t("needs.open", { name: first.name }), url: `/app/origins/${first.legacyId}` }
        : { action: t("needs.see"), url: "/app/origins?state=verifying" },
    template: { action: t("needs.see"), url: "/app/address-book" },
    held: { action: t("needs.see"), url: "/app/address-book" },
  };
  return (
    <NeedRow
      grave={false}
      text={t(`troubles.${trouble}`, { count })}
      detail={origins.map(({ name }) => name).join(", ") || undefined}
      why={whyOf({ trouble, failure }, tWaiting)}
      failure={failure}
      way={ways[trouble] ?? null}
    />
  );
}

/** The same above the page of the only origin, where there is no list of needs. */
export function TroubleBanners({ troubles }: { troubles: TroubleView[] }) {
  const { t } = useTranslation("home");
  const { t: tWaiting } = useTranslation(WAITING_WORDS);
  return troubles.map(({ trouble, count, failure }) => (
    <PageTop key={trouble}>
      <Banner tone="warning" title={t(`troubles.${trouble}`, { count })}>
        <BlockStack gap="100">
          {whyOf({ trouble, failure }, tWaiting) && <Text as="p">{whyOf({ trouble, failure }, tWaiting)}</Text>}
          <FailureNote failure={failure} />
        </BlockStack>
      </Banner>
    </PageTop>
  ));
}

/** The other troubles say by their title what they are; a fault says so itself. */
function whyOf(
  { trouble, failure: { code } }: Pick<TroubleView, "trouble" | "failure">,
  t: Parameters<typeof waitingWords>[0],
): string | undefined {
  return trouble === "waiting" && code !== null && REASON_PLACES[code] !== "fails" ? waitingWords(t, code) : undefined;
}
