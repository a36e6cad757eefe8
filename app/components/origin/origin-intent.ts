import type { FormContactField, SplitField } from "../../domain/address/form-fields.ts";
import type { AdoptionChoices } from "../../domain/plan/adoption-choices.ts";
import type { FieldProblem } from "../../domain/address/address.ts";
import type { DifferenceChoice } from "../../origins/resolve-difference.ts";
import type { RunProgress } from "../../runs/run-now.ts";
import type { AskedLately } from "../../domain/verification/asked-lately.ts";

/** All of the split, because it is confirmed as a whole; of the contact only what was changed. */
export type StatedValues = Record<SplitField, string> & Partial<Record<FormContactField, string>>;

/** The commands that an origin's page sends to its action. */
export type OriginIntent =
  | { intent: "save"; revision: number; readFrom: string; values: StatedValues }
  | { intent: "sync" | "include" | "unlink" | "makeAgain" | "createAnyway" | "pause" | "resume" | "refresh" }
  | {
      intent: "link";
      templateId: string;
      templateVersion: string;
      ownVersion?: string | undefined;
      choices?: AdoptionChoices | undefined;
    }
  | { intent: "delete"; draftId: string }
  | { intent: "resolve"; choices: DifferenceChoice[] }
  | { intent: "verify"; carriers: string[] };

export type OriginAnswer = { intent: OriginIntent["intent"] } & (
  | { kind: "done"; progress: Pick<RunProgress, "kind"> }
  | { kind: "invalid"; problems: FieldProblem[] }
  | AskedLately
  | {
      kind:
        | "stale"
        | "moved"
        | "changed_since"
        | "already_linked"
        | "taken"
        | "not_missing"
        | "impossible"
        | "not_found"
        | "quiet";
    }
);
