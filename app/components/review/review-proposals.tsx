import { BlockStack, Select } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { ReviewRowView } from "../../views/review.ts";
import { AdoptionChoices } from "../origin/adoption-choices.tsx";
import type { RowEdits } from "./review-state.ts";
import { adoptionOf, chosenOf, templateChoiceOf, templateVersionOf, versionShown } from "./review-state.ts";

export interface ReviewProposalsProps {
  row: ReviewRowView;
  edits: RowEdits | undefined;
  /** The shop's, which a template's is compared with. */
  contact: ContactDetails;
  isAsked: boolean;
  edit(patch: RowEdits): void;
}

/** Which template of the account a location is, and what linking it would keep and change. */
export function ReviewProposals({ row, edits, contact, isAsked, edit }: ReviewProposalsProps) {
  const { t } = useTranslation("review");
  const choice = templateChoiceOf(row, edits)!;
  const chosen = chosenOf(row, edits);
  const pinned = chosen && { templateId: chosen.templateId, templateVersion: templateVersionOf(row, edits) };
  return (
    <BlockStack gap="200">
      <div {...(choice === "undecided" ? { "data-open": "" } : {})}>
        <Select
          label={t("proposal.label", { location: row.name })}
          value={choice}
          onChange={(templateId) => edit({ templateId, templateVersion: versionShown(row, templateId), choices: {} })}
          options={[
            ...(choice === "undecided" ? [{ label: t("proposal.choose"), value: "undecided" }] : []),
            ...row.proposals.map(({ templateId, alias, address }) => ({
              label: t("proposal.link", { alias, address }),
              value: templateId,
            })),
            { label: t("proposal.create"), value: "create" },
          ]}
          {...(choice === "undecided" ? { [isAsked ? "error" : "helpText"]: t("proposal.undecided") } : {})}
        />
      </div>
      {chosen && (
        <AdoptionChoices
          alias={chosen.alias}
          differences={chosen.differences}
          contact={adoptionOf(row, edits, contact)}
          compact
          onChoose={(field, side) => edit({ ...pinned, choices: { ...edits?.choices, [field]: side } })}
        />
      )}
    </BlockStack>
  );
}
