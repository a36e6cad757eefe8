import { Banner, BlockStack, Button, Checkbox, Link, Select, Text } from "@shopify/polaris";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { SplitField } from "../../domain/address/form-fields.ts";
import { SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import type { ReviewRowView } from "../../views/review.ts";
import { ProposalDifferences } from "../origin/preview-card.tsx";
import { ReviewCell } from "./review-cell.tsx";
import type { RowEdits } from "./review-state.ts";
import { missingIn, templateChoiceOf, valueOf, versionShown } from "./review-state.ts";

export interface ReviewRowProps {
  row: ReviewRowView;
  edits: RowEdits | undefined;
  /** The shop's reference, used where the row has none. Passed alone, because typing in the contact must not render every row again. */
  reference: string | null;
  /** Why the last confirmation left this row out; a key of `refused.*`. */
  refusal: string | null;
  onEdit(locationId: string, edits: RowEdits): void;
  onExclude(locationId: string): void;
}

/** One location: its fields in a line, and below it what needs more words. Memoised by its own data. */
export const ReviewRow = memo(function ReviewRow({
  row,
  edits,
  reference,
  refusal,
  onEdit,
  onExclude,
}: ReviewRowProps) {
  const { t } = useTranslation(["review", "common", "problems"]);
  const missing = missingIn(row, edits);
  const edit = (patch: RowEdits) =>
    onEdit(row.locationId, { basis: { revision: row.revision, readFrom: row.readFrom }, ...edits, ...patch });
  const more = row.inShopify.length > 0 || row.proposals.length > 0 || refusal !== null;
  const problemOf = (field: SplitField) => {
    if (missing.includes(field)) return "missing" as const;
    const { problem, value } = row.cells[field];
    return problem !== "missing" && problem !== "unconfirmed" && valueOf(row, edits, field) === value ? problem : null;
  };
  const noteOf = (field: SplitField) => {
    const problem = problemOf(field);
    if (problem) return { kind: "missing", text: t(`problems:${problem}`) } as const;
    const guess = row.cells[field].confidence === "unsure" && edits?.values?.[field] === undefined;
    return guess ? ({ kind: "guess", text: t("pleaseCheck") } as const) : null;
  };
  return (
    <tbody>
      <tr>
        <td className="review-place">
          <Checkbox
            label={row.name}
            checked={!edits?.leftOut}
            onChange={(checked) => edit({ leftOut: !checked })}
            helpText={row.shopifyLines.join(", ")}
          />
          <div className="review-actions">
            <Link
              removeUnderline
              url={`/app/origins/${row.legacyId}`}
              accessibilityLabel={t("openNamed", { location: row.name })}
            >
              {t("open")}
            </Link>
            <Button
              variant="plain"
              onClick={() => onExclude(row.locationId)}
              accessibilityLabel={t("excludeNamed", { location: row.name })}
            >
              {t("exclude")}
            </Button>
          </div>
        </td>
        {SPLIT_FIELDS.map((field) => {
          const label = t(`common:fields.${field}`);
          return (
            <ReviewCell
              key={field}
              field={field}
              label={label}
              name={t("cell", { field: label, location: row.name })}
              value={valueOf(row, edits, field)}
              note={noteOf(field)}
              placeholder={field === "reference" ? reference : null}
              onChange={(value) => edit({ values: { ...edits?.values, [field]: value } })}
            />
          );
        })}
      </tr>
      {more && (
        <tr className="review-more">
          <td colSpan={SPLIT_FIELDS.length + 1}>
            <BlockStack gap="200">
              {refusal && <Banner tone="critical">{t(`refused.${refusal}`)}</Banner>}
              {row.inShopify.map(({ field, problem }) => (
                <Text as="p" tone="critical" key={field}>
                  {problem === "missing"
                    ? t("inShopifyMissing", { field: t(`common:fields.${field}`) })
                    : t("inShopify", { field: t(`common:fields.${field}`), problem: t(`problems:${problem}`) })}
                </Text>
              ))}
              {row.proposals.length > 0 && (
                <Proposals
                  row={row}
                  edits={edits}
                  onChoose={(templateId) => edit({ templateId, templateVersion: versionShown(row, templateId) })}
                />
              )}
            </BlockStack>
          </td>
        </tr>
      )}
    </tbody>
  );
});

function Proposals({
  row,
  edits,
  onChoose,
}: {
  row: ReviewRowView;
  edits: RowEdits | undefined;
  onChoose(templateId: string): void;
}) {
  const { t } = useTranslation("review");
  const choice = templateChoiceOf(row, edits)!;
  const chosen = row.proposals.find(({ templateId }) => templateId === choice);
  return (
    <BlockStack gap="200">
      <Select
        label={t("proposal.label", { location: row.name })}
        value={choice}
        onChange={onChoose}
        options={[
          ...(choice === "undecided" ? [{ label: t("proposal.choose"), value: "undecided" }] : []),
          ...row.proposals.map(({ templateId, alias, address }) => ({
            label: t("proposal.link", { alias, address }),
            value: templateId,
          })),
          { label: t("proposal.create"), value: "create" },
        ]}
        {...(choice === "undecided" ? { error: t("proposal.undecided") } : {})}
      />
      {chosen && <ProposalDifferences proposal={chosen} />}
    </BlockStack>
  );
}
