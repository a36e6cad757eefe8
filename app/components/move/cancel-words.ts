import type { MoveView } from "../../views/origin.ts";

type Coming = NonNullable<MoveView["coming"]>;
type Held = NonNullable<MoveView["held"]>;
type CancelWords =
  "cancel.stays" | "cancel.staysThere" | "cancel.mayCome" | "cancel.shopifys" | "cancel.keeps" | "cancel.uses";

/** What calling a move off leaves: of the coming address, where there is one in the book or may be, and of the location's own. */
export function cancelWords(
  { templateId, refusal, asks, canPass }: Pick<Coming, "templateId" | "refusal" | "asks" | "canPass">,
  held: Pick<Held, "why"> | null,
): CancelWords[] {
  const own = held === null ? "cancel.shopifys" : held.why === "moved" ? "cancel.keeps" : "cancel.uses";
  // The book that the pages show may be another account's.
  if (templateId !== null) return [canPass ? "cancel.stays" : "cancel.staysThere", own];
  return isUnmade({ templateId, refusal, asks }) ? [own] : ["cancel.mayCome", own];
}

/** It is not in the book, and nothing adds it until its owner says so. */
export function isUnmade({ templateId, refusal, asks }: Pick<Coming, "templateId" | "refusal" | "asks">): boolean {
  return templateId === null && (refusal !== null || asks !== null);
}
