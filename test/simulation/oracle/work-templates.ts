import type { WorkItem } from "../../../app/domain/records.ts";
import { moveOf, templateOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";

/** What a work item is about. */
export type Named = Pick<Readonly<WorkItem>, "kind" | "shop" | "key">;

/** The template that a work item is about; null where there is none. */
export function templateOfWorkItem(stage: Stage, { kind, shop, key }: Named): string | null {
  if (kind === "location") return templateOf(stage, { shop, locationId: key });
  if (kind === "move") return moveOf(stage, { shop, locationId: key })?.templateId ?? null;
  return kind === "verification" ? key.slice(key.indexOf(":") + 1) : draftTemplate(stage, key);
}

/** Whether it is in no account. */
export function isMissing(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  const templateId = templateOfWorkItem(stage, workItem);
  return templateId !== null && stage.accounts.all.every(({ templates }) => !templates.has(templateId));
}

export function draftTemplate(stage: Stage, draftId: string): string | null {
  for (const draft of stage.database.rows("drafts")) if (draft.id === draftId) return draft.templateId;
  return null;
}
