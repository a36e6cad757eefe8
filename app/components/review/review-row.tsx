import { Banner, BlockStack, Button, Checkbox, Link, Text } from "../../polaris/polaris.ts";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { RepeatedField } from "../../domain/address/form-fields.ts";
import type { ReviewRowView } from "../../views/review.ts";
import { ReviewCells } from "./review-cells.tsx";
import { ReviewProposals } from "./review-proposals.tsx";
import { outlookOf } from "./row-facts.ts";
import type { RowFacts } from "./row-facts.ts";
import type { RowEdits } from "./review-state.ts";
import { withBasis } from "./review-state.ts";

export interface ReviewRowProps {
  row: ReviewRowView;
  edits: RowEdits | undefined;
  facts: RowFacts;
  /** What stands below the line: what is open in the row, all of it, or nothing. */
  shows: "asked" | "whole" | null;
  /** The shop's reference, used where the row has none. Passed alone, because typing in the contact must not render every row again. */
  reference: string | null;
  /** The shop's contact, where it is compared with a template's; null elsewhere, for the same reason. */
  contact: ContactDetails | null;
  /** Somebody pressed Confirm: what the row lacks is an error from then on. */
  isAsked: boolean;
  /** Why the last confirmation left this row out; a key of `refused.*`. */
  refusal: string | null;
  /** How many of the rows shown lack a field; null in a row that is closed, for the same reason. */
  lacking: Record<RepeatedField, number> | null;
  onToggle(locationId: string): void;
  onEdit(locationId: string, edits: RowEdits): void;
  onCopy(locationId: string, field: RepeatedField): void;
  onExclude(locationId: string): void;
}

/** One location: a line that says how it will stand, and its cells where it is opened. Memoised by its own data. */
export const ReviewRow = memo(function ReviewRow(props: ReviewRowProps) {
  const { row, edits, facts, shows, onToggle, onEdit } = props;
  const { t } = useTranslation("review");
  const cellsId = `review-${row.legacyId}`;
  const isWhole = shows === "whole";
  return (
    <li className="review-row" data-place={row.locationId}>
      <div className="review-line">
        <Checkbox
          label={
            <Text as="span" fontWeight="medium">
              {row.name}
            </Text>
          }
          checked={!edits?.leftOut}
          onChange={(checked) => onEdit(row.locationId, withBasis(row, edits, { leftOut: !checked }))}
        />
        <div className="review-what">
          <span className="review-address">{facts.address}</span>
          <div>
            {row.inAccount && <span className="review-outlook">{t(`outlook.${row.inAccount}`)}</span>}{" "}
            <Outlook facts={facts} isNew={row.inAccount === null} />
          </div>
        </div>
        <Button
          variant="tertiary"
          size="slim"
          disclosure={isWhole ? "up" : "down"}
          ariaExpanded={isWhole}
          {...(shows ? { ariaControls: cellsId } : {})}
          accessibilityLabel={t(isWhole ? "closeNamed" : "editNamed", { location: row.name })}
          onClick={() => onToggle(row.locationId)}
        >
          {t(isWhole ? "close" : "edit")}
        </Button>
      </div>
      {shows && (
        <div id={cellsId} className="review-opened">
          <Opened {...props} />
        </div>
      )}
    </li>
  );
});

/** What becomes of a row that is new to the account, or what is open in one or in the contact that it needs, in a few words. */
function Outlook({ facts, isNew }: { facts: RowFacts; isNew: boolean }) {
  const { t } = useTranslation(["review", "common"]);
  const fields = (names: readonly string[]) => names.map((field) => t(`common:fields.${field}`)).join(", ");
  const outlook = outlookOf(facts);
  switch (outlook.kind) {
    case "open": {
      const words = [
        outlook.lacks.length > 0 && t("outlook.lacks", { fields: fields(outlook.lacks) }),
        outlook.mend.length > 0 && t("outlook.mend", { fields: fields(outlook.mend) }),
        outlook.chooses && t("outlook.choose"),
        outlook.contact.length > 0 && t("outlook.contact"),
      ];
      return <span className="review-outlook review-outlook-open">{words.filter(Boolean).join(" · ")}</span>;
    }
    case "check":
      return (
        <span className="review-outlook review-outlook-guess">
          {t("outlook.check", { fields: fields(outlook.guesses) })}
        </span>
      );
    case "done":
      if (!isNew) return null;
      return (
        <span className="review-outlook">
          {outlook.link === null
            ? t("outlook.new")
            : t("outlook.link", { alias: outlook.link.alias, count: outlook.link.changes })}
        </span>
      );
  }
}

function Opened({
  row,
  edits,
  facts,
  shows,
  reference,
  contact,
  isAsked,
  refusal,
  lacking,
  onEdit,
  onCopy,
  onExclude,
}: ReviewRowProps) {
  const { t } = useTranslation("review");
  const isWhole = shows === "whole";
  const asksForTemplate = edits?.templateId !== undefined || facts.opens.some(({ at }) => at === "template");
  return (
    <BlockStack gap="200">
      {refusal && <Banner tone="critical">{t(`refused.${refusal}`)}</Banner>}
      {row.proposals.length > 0 && (isWhole || asksForTemplate) && (
        <ReviewProposals
          {...{ row, edits, isAsked }}
          contact={contact ?? row.ownContact}
          edit={(patch) => onEdit(row.locationId, withBasis(row, edits, patch))}
        />
      )}
      <ReviewCells
        {...{ row, edits, reference, isAsked, lacking, isWhole }}
        onEdit={(own) => onEdit(row.locationId, own)}
        onCopy={(field) => onCopy(row.locationId, field)}
      />
      {isWhole && (
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
      )}
    </BlockStack>
  );
}
