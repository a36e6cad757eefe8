import type { FieldProblem } from "../domain/address/address.ts";
import { longestOf } from "../domain/address/form-fields.ts";
import { isStanding, restored } from "../domain/address/long-text.ts";
import { contactProblems, tidyContact } from "../domain/address/contact-details.ts";
import type { ActivityRecord, ShopRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { wakeMoves } from "./keep-contact.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { ShopSettings } from "../views/settings.ts";

/** What is wrong with a field of the form. */
export type SettingsProblem = FieldProblem | { field: "aliasPattern"; code: "too_long"; severity: "error" };

export type SaveSettingsOutcome =
  | { kind: "saved"; revision: number }
  | { kind: "invalid"; problems: SettingsProblem[] }
  /** Somebody saved since the form was shown. */
  | { kind: "stale" }
  /** The shop, or the location whose template is to be the default. */
  | { kind: "not_found" };

/** Stores what the owner set for the whole shop and looks at every origin again, when it is about origins. */
export async function saveSettings(
  services: Services,
  { shop, revision, settings }: { shop: string; revision: number; settings: ShopSettings },
): Promise<SaveSettingsOutcome> {
  const there = await services.store.shops.find({ shop });
  const contact = restored(tidyContact(settings.contact), there?.contact);
  const { aliasPattern: said } = settings.policies;
  const pattern = there?.policies.aliasPattern;
  const aliasPattern = isStanding("aliasPattern", said, pattern) ? pattern! : said;
  const problems: SettingsProblem[] = contactProblems(contact, there?.contact);
  if (aliasPattern !== pattern && aliasPattern.length > longestOf("aliasPattern"))
    problems.push({ field: "aliasPattern", code: "too_long", severity: "error" });
  if (problems.some((problem) => problem.severity === "error")) return { kind: "invalid", problems };

  const after = { ...settings, contact, policies: { ...settings.policies, aliasPattern } };
  const outcome = await services.store.transaction(shop, async (tables): Promise<SaveSettingsOutcome> => {
    const before = await tables.shops.find({ shop });
    if (!before) return { kind: "not_found" };
    if (before.revision !== revision) return { kind: "stale" };
    const { defaultLocationId: locationId } = settings.policies;
    const isNew = locationId !== null && locationId !== before.policies.defaultLocationId;
    if (isNew && !(await tables.locations.find({ shop, locationId }))) return { kind: "not_found" };
    const fields = changesBetween(before, after);
    if (fields.length === 0) return { kind: "saved", revision };
    await tables.shops.update({ shop, revision }, { ...after, revision: revision + 1 });
    await recordActivity(services, tables, { shop, actor: "owner", kind: "settings_saved", outcome: "done", fields });
    if (fields.some(({ field }) => field !== "language")) {
      await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
      await wakeMoves(services, tables, { shop });
    }
    return { kind: "saved", revision: revision + 1 };
  });
  services.wake();
  return outcome;
}

function changesBetween(before: ShopRecord, after: ShopSettings): ActivityRecord["fields"] {
  const flat = ({ language, policies, contact }: ShopSettings) => ({ language, ...policies, ...contact });
  const [from, to] = [flat(before), flat(after)] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys(to)
    .map((field) => ({ field, from: textOf(from[field]), to: textOf(to[field]) }))
    .filter((change) => change.from !== change.to);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
