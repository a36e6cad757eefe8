import { Badge, Banner, BlockStack, Button, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { memo, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContactDetails } from "../../domain/address/address.ts";
import { SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import { suggestionsFor } from "../../domain/mexico/postal/suggestions.ts";
import { keptFields } from "../../domain/plan/adoption-choices.ts";
import type { ProposalView } from "../../views/origin.ts";
import type { ReviewRowView } from "../../views/review.ts";
import { useFieldValue } from "../hooks/use-field-value.ts";
import { ReviewInput } from "../review/review-cell.tsx";
import { ReviewProposals } from "../review/review-proposals.tsx";
import type { RowEdits } from "../review/review-state.ts";
import { adoptionOf, chosenOf, templateChoiceOf, typedIn, valueOf, withBasis } from "../review/review-state.ts";
import { guessesIn } from "../review/row-facts.ts";
import { useCellNotes } from "../review/use-cell-notes.ts";
import { locationInShopify } from "../shell/in-shopify.ts";
import { askedFields } from "./asked-fields.ts";

export interface PlaceToConfirmProps {
  row: ReviewRowView;
  edits: RowEdits | undefined;
  /** The shop's contact as typed so far. */
  contact: ContactDetails;
  /** The store has no other. */
  alone: boolean;
  /** Something keeps it from being confirmed. */
  isOpen: boolean;
  isAsked: boolean;
  /** Why the last confirmation left it out; a key of `review:refused.*`. */
  refusal: string | null;
  onEdit(locationId: string, edits: RowEdits): void;
  onExclude(locationId: string): void;
}

/** A location in a few lines: its address, what the address book has of it, and the fields that are to be filled in or looked at. */
export const PlaceToConfirm = memo(function PlaceToConfirm(props: PlaceToConfirmProps) {
  const { row, edits, contact, alone, isAsked, refusal } = props;
  const { t } = useTranslation(["home", "review", "common", "problems"]);
  const [isWhole, setWhole] = useState(false);
  const fields = useId();
  const edit = (patch: RowEdits) => props.onEdit(row.locationId, withBasis(row, edits, patch));
  const { inState } = useCellNotes(row, edits, isAsked);
  const shown = isWhole ? SPLIT_FIELDS : askedFields(row, edits, alone);
  const choice = templateChoiceOf(row, edits);
  const chosen = chosenOf(row, edits);
  // A value of the address book that cannot be kept is told with the reason.
  const isFaulty = adoptionOf(row, edits, contact).some(({ problem }) => problem !== null);
  const isSaidInFull = isWhole || choice === "undecided" || isFaulty;
  return (
    <li className="setup-place">
      <BlockStack gap="200">
        <InlineStack gap="200" blockAlign="center" align="space-between">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h4" variant="bodyMd" fontWeight="semibold">
              {row.name}
            </Text>
            <Standing {...props} />
          </InlineStack>
          <Button
            variant="plain"
            onClick={() => setWhole(!isWhole)}
            ariaExpanded={isWhole}
            {...(shown.length > 0 ? { ariaControls: fields } : {})}
            accessibilityLabel={t("setup.confirm.editNamed", { location: row.name })}
          >
            {t("setup.confirm.edit")}
          </Button>
        </InlineStack>
        <Text as="p" tone="subdued" breakWord>
          {row.shopifyLines.join(", ")}
        </Text>
        {row.inAccount && <Text as="p">{t(`review:outlook.${row.inAccount}`)}</Text>}
        {refusal && <Banner tone="critical">{t(`review:refused.${refusal}`)}</Banner>}
        {row.inShopify.map(({ field, problem }) => (
          <Text as="p" tone={isAsked ? "critical" : "caution"} key={field}>
            {problem === "missing"
              ? t("review:inShopifyMissing", { field: t(`common:fields.${field}`) })
              : t("review:inShopify", { field: t(`common:fields.${field}`), problem: t(`problems:${problem}`) })}{" "}
            <Link {...locationInShopify(row.legacyId)}>{t("setup.confirm.inShopify")}</Link>
          </Text>
        ))}
        {inState && <Text as="p">{inState}</Text>}
        {choice !== null && isSaidInFull && <ReviewProposals {...{ row, edits, contact, isAsked, edit }} />}
        {chosen && !isSaidInFull && <Matched {...{ row, edits, contact, chosen }} />}
        {shown.length > 0 && (
          <div id={fields}>
            <Cells {...props} fields={shown} edit={edit} />
            {isWhole && !alone && (
              <Button
                variant="plain"
                onClick={() => props.onExclude(row.locationId)}
                accessibilityLabel={t("review:excludeNamed", { location: row.name })}
              >
                {t("review:exclude")}
              </Button>
            )}
          </div>
        )}
      </BlockStack>
    </li>
  );
});

/** What linking keeps and changes, in two lines; each choice comes with the edit. */
function Matched({
  row,
  edits,
  contact,
  chosen,
}: Pick<PlaceToConfirmProps, "row" | "edits" | "contact"> & { chosen: ProposalView }) {
  const { t } = useTranslation(["home", "origin", "common"]);
  const value = useFieldValue();
  const adopted = adoptionOf(row, edits, contact);
  const kept = keptFields(adopted).map((field) => chosen.there[field]);
  const changes = [...chosen.differences, ...adopted.filter(({ stays }) => stays === "ours")].map(
    ({ field, ours, theirs }) =>
      t("origin:preview.change", {
        field: t(`common:fields.${field}`),
        from: value(field, theirs),
        to: value(field, ours),
      }),
  );
  return (
    <BlockStack gap="100">
      <Text as="p">{t("setup.confirm.matched", { alias: chosen.alias })}</Text>
      {kept.length > 0 && (
        <Text as="p" tone="subdued" breakWord>
          {t("setup.confirm.keeps", { values: kept.join(" · ") })}
        </Text>
      )}
      {changes.length > 0 && (
        <Text as="p" tone="subdued" breakWord>
          {`${t("origin:preview.changes")} ${changes.join(" · ")}`}
        </Text>
      )}
    </BlockStack>
  );
}

function Standing({ row, edits, alone, isOpen }: PlaceToConfirmProps) {
  const { t } = useTranslation(["home", "origins"]);
  const lacksReference = alone && !valueOf(row, edits, "reference").trim();
  const isComplete = !isOpen && !(lacksReference && askedFields(row, edits, alone).includes("reference"));
  if (!isComplete) return <Badge tone="attention">{t("setup.confirm.lacks")}</Badge>;
  if (guessesIn(row, edits).length > 0) return <Badge tone="attention">{t("origins:state.to_review")}</Badge>;
  return <Badge tone="success">{t("setup.confirm.complete")}</Badge>;
}

function Cells({
  row,
  edits,
  contact,
  isAsked,
  fields,
  edit,
}: PlaceToConfirmProps & { fields: readonly (typeof SPLIT_FIELDS)[number][]; edit(patch: RowEdits): void }) {
  const { t } = useTranslation(["review", "common", "problems"]);
  const { noteOf } = useCellNotes(row, edits, isAsked);
  return (
    <div className="setup-cells">
      {fields.map((field) => {
        const label = t(`common:fields.${field}`);
        const value = valueOf(row, edits, field);
        const lacksReference = field === "reference" && value.trim() === "" && !contact.reference?.trim();
        return (
          <div key={field} className={field === "reference" || field === "street1" ? "setup-wide" : undefined}>
            <span className="setup-label" aria-hidden="true">
              {label}
            </span>
            <ReviewInput
              field={field}
              label={label}
              name={t("cell", { field: label, location: row.name })}
              value={value}
              note={
                lacksReference && row.required.includes("reference")
                  ? { kind: isAsked ? "missing" : "needed", text: t("problems:missing") }
                  : noteOf(field)
              }
              placeholder={field === "reference" ? contact.reference : null}
              suggestions={suggestionsFor(field, { facts: row.postal, offers: row.cells[field].offers })}
              onChange={(typed) => edit(typedIn(edits, field, typed))}
            />
          </div>
        );
      })}
    </div>
  );
}
