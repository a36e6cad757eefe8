import { Banner } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { TroubleView } from "../../use-cases/views/home.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { PageTop } from "../shell/page-top.tsx";
import { NeedRow } from "./need-row.tsx";

/** Something of the shop that keeps failing, among what needs its owner. */
export function TroubleRow({ trouble: { trouble, count, failure, origins } }: { trouble: TroubleView }) {
  const { t } = useTranslation("home");
  const [first] = origins;
  const ways: Partial<Record<TroubleView["trouble"], { action: string; url: string }>> = {
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
      failure={failure}
      way={ways[trouble] ?? null}
    />
  );
}

/** The same above the page of the only origin, where there is no list of needs. */
export function TroubleBanners({ troubles }: { troubles: TroubleView[] }) {
  const { t } = useTranslation("home");
  return troubles.map(({ trouble, count, failure }) => (
    <PageTop key={trouble}>
      <Banner tone="warning" title={t(`troubles.${trouble}`, { count })}>
        <FailureNote failure={failure} />
      </Banner>
    </PageTop>
  ));
}
