import type { Proposal } from "../domain/plan/proposals.ts";
import type { TemplateDraft, TemplatePatch } from "../domain/records.ts";

/** What a sync of one location would do. */
export interface SyncPreview {
  locationId: string;
  action: "create" | "link" | "update" | "leave" | "blocked";
  proposals: { templateId: string; aliasName: string; how: Proposal["how"]; differences: Proposal["differences"] }[];
  sends: TemplateDraft | TemplatePatch | null;
  /** Why it is blocked, or left alone. */
  reason: string | null;
}
