import type { AddressTemplate, TemplateDraft } from "../../domain/records.ts";
import type { AskedLately } from "../../domain/verification/asked-lately.ts";
import type { DraftEnding, SaveTemplateOutcome } from "../../by-hand/save-template.ts";

/** The commands that a template's page sends to its action. */
export type TemplateIntent =
  | { intent: "save"; draftId: string; draft: TemplateDraft; base: AddressTemplate | null }
  | { intent: "delete"; draftId: string }
  | { intent: "verify"; carriers: string[] }
  | { intent: "refresh" };

export type TemplateAnswer =
  | { intent: "save"; outcome: SaveTemplateOutcome | { kind: "linked" }; nextDraftId: string }
  | { intent: "delete"; outcome: DraftEnding; nextDraftId: string }
  | { intent: "verify"; outcome: { kind: "quiet" } | AskedLately }
  | { intent: "refresh"; outcome: { kind: "quiet" } };
