import type { SplitField } from "../../domain/address/form-fields.ts";
import type { AdoptionChoices } from "../../domain/plan/adoption-choices.ts";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { ReviewOutcome } from "../../jobs/confirm-review.ts";

/** A row as it is to be confirmed. */
export interface ConfirmedRow {
  locationId: string;
  revision: number;
  readFrom: string;
  values: Record<SplitField, string>;
  templateId: string | "create" | null;
  templateVersion: string | null;
  choices?: AdoptionChoices | undefined;
}

/** The commands that Review sends to its action. */
export type ReviewIntent =
  | {
      intent: "confirm";
      contact: ContactDetails;
      contactRevision: number;
      rows: ConfirmedRow[];
    }
  /** `includeAgain` takes `exclude` back. */
  | { intent: "exclude" | "includeAgain"; locationId: string };

export type ReviewAnswer = ReviewOutcome | { kind: "excluded"; locationId: string } | { kind: "includedAgain" };
