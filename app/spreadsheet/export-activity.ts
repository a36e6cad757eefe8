import type { Language } from "../domain/records.ts";
import { changedValue, entryWords, fieldName, whoDidIt } from "../i18n/entry-words.ts";
import { wordsOf } from "../i18n/words.ts";
import type { Words } from "../i18n/words.ts";
import { everyActivity } from "../pages/every-activity.ts";
import { dayOf } from "../pages/zoned-day.ts";
import type { Services } from "../ports.ts";
import type { ActivityEntryView, ActivityQuery } from "../views/activity.ts";
import { csvHead, csvLines } from "./csv.ts";
import type { Sheet } from "./export-origins.ts";
import { utcTime, zonedTime } from "./sheet-time.ts";

const COLUMNS = [
  "time",
  "utc",
  "who",
  "location",
  "what",
  "outcome",
  "field",
  "from",
  "to",
  "said",
  "template",
  "request",
] as const;

/**
 * All of the activity log that a query leaves, newest first: a line for each value that changed, and one for each entry without any. Null
 * when the shop is unknown.
 */
export async function exportActivity(
  services: Pick<Services, "store" | "clock" | "staffId">,
  { shop, query, language }: { shop: string; query: ActivityQuery; language: Language },
): Promise<Sheet | null> {
  const found = await everyActivity(services, { shop, query });
  if (!found) return null;
  const { timeZone, locations, some } = found;
  const t = wordsOf(language);
  const names = new Map(locations.map(({ locationId, name }) => [locationId, name]));
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const input: LinesInput = {
    t,
    timeZone,
    list: (items) => list.format(items),
    locationName: (locationId) => names.get(locationId),
  };
  const text = async function* (): AsyncGenerator<string> {
    yield csvHead(COLUMNS.map((column) => t(`spreadsheet:activity.${column}`)));
    for await (const entries of some) yield csvLines(entries.flatMap((entry) => linesOf(entry, input)));
  };
  const day = dayOf(services.clock.nowMs(), timeZone);
  return { name: t("spreadsheet:file.activity", { day }), text: text() };
}

interface LinesInput {
  t: Words;
  timeZone: string;
  list: (items: string[]) => string;
  locationName: (locationId: string) => string | undefined;
}

function linesOf(entry: ActivityEntryView, { t, timeZone, list, locationName }: LinesInput): string[][] {
  const { atMs, kind, fields, outcome, requestId, templateId } = entry;
  const { title, detail } = entryWords({ t, list }, [entry]);
  // "You" would be somebody else to whoever is sent the file.
  const who = whoDidIt(t, { ...entry, isYours: false }) ?? "";
  const begin = [zonedTime(atMs, timeZone), utcTime(atMs), who, entry.locationName ?? "", title];
  const end = [detail ?? "", templateId ?? "", requestId ?? ""];
  const changes = fields.map(({ field, from, to }) => {
    const value = (text: string | null) => (text ? changedValue({ t, kind, locationName }, field, text) : "");
    return [fieldName(t, field), value(from), value(to)];
  });
  const all = changes.length > 0 ? changes : [["", "", ""]];
  return all.map((change) => [...begin, t(`activity:outcome.${outcome}`), ...change, ...end]);
}
