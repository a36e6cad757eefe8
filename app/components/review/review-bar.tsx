import { BlockStack, Button, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { useFormat } from "../hooks/use-format.ts";
import { NotTakenNote } from "../shell/not-taken.tsx";
import type { ReviewForm } from "./use-review-form.ts";

export interface ReviewBarProps {
  form: ReviewForm;
  /** An account is connected in which it is saved. */
  connected: boolean;
  onConfirm(): void;
  onNext(): void;
}

/** What keeps rows from being confirmed: the contact's fields by their names, for the rows that need them, else the rows alone. */
export function useOpenWords(): (form: Pick<ReviewForm, "needed" | "open" | "facts">) => string {
  const { t } = useTranslation(["review", "common"]);
  const format = useFormat();
  return ({ needed, open, facts }) => {
    if (needed.length === 0) return t("stillOpen", { count: open });
    const count = [...facts.values()].filter(({ contactLacks }) => contactLacks.length > 0).length;
    return t("contactLacks", { fields: format.list(needed.map((field) => t(`common:fields.${field}`))), count });
  };
}

/** Confirm, what is still open, and the way there: always in sight, however long the list. */
export function ReviewBar({ form, connected, onConfirm, onNext }: ReviewBarProps) {
  const { ready, open, busy, notTaken, fill, undoCopy } = form;
  const { t } = useTranslation(["review", "common"]);
  const openWords = useOpenWords();
  return (
    <div className="review-bar">
      <BlockStack gap="200">
        <NotTakenNote why={notTaken} />
        {fill && (
          <InlineStack gap="300" blockAlign="center">
            <Text as="p" breakWord>
              {t("copy.done", {
                count: fill.rows.length,
                field: t(`common:fields.${fill.field}`),
                value: fill.value,
              })}
            </Text>
            <Button variant="plain" onClick={undoCopy}>
              {t("copy.undo")}
            </Button>
          </InlineStack>
        )}
        <div className="review-confirm">
          <Button variant="primary" loading={busy} onClick={onConfirm}>
            {t(connected ? "confirm" : "confirmUnconnected", { count: ready.length })}
          </Button>
          {open > 0 && (
            <>
              <Button onClick={onNext}>{t("next")}</Button>
              <Text as="p">{openWords(form)}</Text>
            </>
          )}
        </div>
      </BlockStack>
    </div>
  );
}
