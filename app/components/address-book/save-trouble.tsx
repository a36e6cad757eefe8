import { Banner, BlockStack, Text } from "../../polaris/polaris.ts";
import type { BannerHandles } from "../../polaris/polaris.ts";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { COMPARED_FIELDS } from "../../domain/plan/compared-fields.ts";
import { wordsBeyondFields } from "../../views/refusal-words.ts";
import type { TemplateAnswer } from "./template-intent.ts";

/** Why the last save or deletion failed, above the form. Messages about a field stand beside that field. */
export function SaveTrouble({ answer }: { answer: TemplateAnswer | undefined }) {
  const { t } = useTranslation(["addressBook", "common", "origins"]);
  const banner = useRef<BannerHandles>(null);
  // Shown here when the refusal names no field.
  const general =
    answer?.intent === "save" && answer.outcome.kind === "refused" && Object.keys(answer.outcome.fields).length === 0;
  useEffect(() => {
    if (general) banner.current?.focus();
  }, [general, answer]);
  if (!answer || !("nextDraftId" in answer)) return null;
  const { outcome } = answer;
  if (outcome.kind === "refused") {
    const words = wordsBeyondFields(outcome.message, { fields: outcome.fields, shown: COMPARED_FIELDS });
    return (
      <Banner ref={banner} tone="critical" title={t("trouble.refused")}>
        {words !== null && <Text as="p">{t("common:serviceSaid", { words })}</Text>}
        {words === null && !general && <Text as="p">{t("answer.save.invalid")}</Text>}
      </Banner>
    );
  }
  switch (outcome.kind) {
    case "conflict":
    case "unkept":
    case "linked":
    case "gone":
    case "anothers":
    case "account_changed":
    case "taken_back":
    case "not_connected":
    case "too_many":
      return <Banner tone="warning" title={t(`trouble.${outcome.kind}`)} />;
  }
  if (outcome.kind === "alike") {
    const open = {
      content: t("trouble.alike.open"),
      url: `/app/address-book/${encodeURIComponent(outcome.templateId)}`,
    };
    return (
      <Banner tone="warning" title={t("trouble.alike.title")} action={open}>
        {t("trouble.alike.text")}
      </Banner>
    );
  }
  if (outcome.kind === "under_way") {
    const words = outcome.because ? t(`trouble.because.${outcome.because}`) : t("trouble.underWay");
    return <Banner tone="info">{words}</Banner>;
  }
  if (outcome.kind === "waits") {
    return (
      <Banner tone="info" title={t("trouble.waits")}>
        <BlockStack>{t(`origins:reason.${outcome.reason}`, { defaultValue: t("trouble.waitsText") })}</BlockStack>
      </Banner>
    );
  }
  return null;
}
