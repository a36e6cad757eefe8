import { Banner, BlockStack, Button, InlineStack, Text } from "../../polaris/polaris.ts";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewView } from "../../views/review.ts";
import { useOpenWords } from "../review/review-bar.tsx";
import { useReviewForm } from "../review/use-review-form.ts";
import type { ReviewForm } from "../review/use-review-form.ts";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { SaveBar } from "../shell/save-bar.tsx";
import { asksSomething, MOST_IN_PLACE } from "./asked-fields.ts";
import { ContactPart } from "./contact-part.tsx";
import { PlaceToConfirm } from "./place-to-confirm.tsx";

/** The address book's matches, what is missing, and one confirmation. Its script comes where it is shown alone: `confirm-step.tsx`. */
export function Confirm({ review, alone }: { review: ReviewView; alone: boolean }) {
  const { t } = useTranslation(["home", "review"]);
  const root = useRef<HTMLDivElement>(null);
  const form = useReviewForm(review, root);
  const openWords = useOpenWords();
  // By what the locations themselves say: none changes its place while somebody types.
  const asking = review.rows.filter((row) => asksSomething(row, alone));
  if (review.more > 0 || asking.length > MOST_IN_PLACE)
    return <InReview asking={asking.length + review.more} total={review.rows.length + review.more} />;
  const { isAsked, open, ready, busy } = form;
  return (
    <div ref={root}>
      <BlockStack gap="400">
        <SaveBar dirty={form.dirty} saving={busy} onSave={form.confirm} onDiscard={form.discard} id="setup-save-bar" />
        {form.answer?.kind === "contact_stale" && <Banner tone="warning">{t("review:contactStale")}</Banner>}
        <Text as="p">{t("setup.confirm.text")}</Text>
        <ContactPart view={review} form={form} alone={alone} />
        <Places review={review} asking={asking} form={form} alone={alone} />
        <BlockStack gap="200">
          <NotTakenNote why={form.notTaken} />
          <InlineStack gap="300" blockAlign="center">
            <Button variant="primary" loading={busy} onClick={form.confirm}>
              {alone ? t("setup.confirm.confirmOne") : t("review:confirm", { count: ready.length })}
            </Button>
            {open > 0 && (
              <Text as="p" tone={isAsked ? "critical" : "subdued"}>
                {alone ? t("setup.confirm.lacksOne") : openWords(form)}
              </Text>
            )}
          </InlineStack>
        </BlockStack>
      </BlockStack>
    </div>
  );
}

interface PlacesProps {
  review: ReviewView;
  asking: ReviewView["rows"];
  form: ReviewForm;
  alone: boolean;
}

/** Those that ask for something first; of many that are complete, the rest at a press. */
function Places({ review, asking, form, alone }: PlacesProps) {
  const { t } = useTranslation("home");
  const [isWhole, setWhole] = useState(false);
  const complete = review.rows.filter((row) => !asking.includes(row));
  const room = MOST_IN_PLACE - asking.length;
  const shown = [...asking, ...(isWhole ? complete : complete.slice(0, room))];
  const rest = review.rows.length - shown.length;
  return (
    <BlockStack gap="200">
      <ul className="origen-list">
        {shown.map((row) => (
          <PlaceToConfirm
            key={row.locationId}
            row={row}
            edits={form.edits.rows[row.locationId]}
            isOpen={form.facts.get(row.locationId)!.opens.length > 0}
            contact={form.compared}
            alone={alone}
            isAsked={form.wasAsked(row.locationId)}
            refusal={form.refusalOf(row.locationId)}
            onEdit={form.editRow}
            onExclude={form.exclude}
          />
        ))}
      </ul>
      {rest > 0 && (
        <InlineStack>
          <Button variant="plain" onClick={() => setWhole(true)}>
            {t("setup.confirm.rest", { count: rest })}
          </Button>
        </InlineStack>
      )}
    </BlockStack>
  );
}

/** Too many for this place: Review has a table for them. */
function InReview({ asking, total }: { asking: number; total: number }) {
  const { t } = useTranslation("home");
  return (
    <BlockStack gap="300" inlineAlign="start">
      <Text as="p">{t("setup.confirm.many", { count: asking })}</Text>
      <Button variant="primary" url="/app/review">
        {t("setup.confirm.inReview", { count: total })}
      </Button>
    </BlockStack>
  );
}
