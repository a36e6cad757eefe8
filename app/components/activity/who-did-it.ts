import type { TFunction } from "i18next";
import type { ActivityEntryView } from "../../views/activity.ts";

/** Shopify tells an app the number of who pressed, and the name only apps with a right that this one does not ask for. */
export function whoDidIt(
  { actor, staffId, isYours }: Pick<ActivityEntryView, "actor" | "staffId" | "isYours">,
  t: TFunction<["activity", ...string[]]>,
): string {
  if (isYours) return t("activity:actor.you");
  const known = t(`activity:actor.${actor}`, { defaultValue: t("activity:actor.app") });
  return staffId === null ? known : t("activity:actor.withNumber", { who: known, number: staffId });
}
