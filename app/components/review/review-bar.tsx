import { BlockStack, Button, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { NotTakenNote } from "../shell/not-taken.tsx";
import type { ReviewForm } from "./use-review-form.ts";

export interface ReviewBarProps {
  form: ReviewForm;
  /** The contact lacks something that rows need. */
  contactLacks: boolean;
  onConfirm(): void;
  onNext(): void;
}

/** Confirm, what is still open, and the way there: always in sight, however long the list. */
export function ReviewBar({ form, contactLacks, onConfirm, onNext }: ReviewBarProps) {
  const { ready, open, busy, notTaken, fill, undoCopy } = form;
  const { t } = useTranslation(["review", "common"]);
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
            {t("confirm", { count: ready.length })}
          </Button>
          {open > 0 && (
            <>
              <Button onClick={onNext}>{t("next")}</Button>
              <Text as="p">{contactLacks ? t("noContact") : t("stillOpen", { count: open })}</Text>
            </>
          )}
        </div>
      </BlockStack>
    </div>
  );
}
