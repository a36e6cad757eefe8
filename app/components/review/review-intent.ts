import type { SplitField } from "../../domain/address/form-fields.ts";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { ReviewOutcome } from "../../jobs/confirm-review.ts";

/** The commands that Review sends to its action. */
export type ReviewIntent =
  | {
      intent: "confirm";
      contact: ContactDetails;
      contactRevision: number;
      rows: {
        locationId: string;
        revision: number;
        readFrom: string;
        values: Record<SplitField, string>;
        templateId: string | "create" | null;
        templateVersion: string | null;
      }[];
    }
  | { intent: "exclude"; locationId: string };

export type ReviewAnswer = ReviewOutcome | { kind: "excluded" };
