import { chunksOf } from "../domain/chunks.ts";
import { carrierName } from "../domain/verification/carriers.ts";
import { readinessOf } from "../domain/readiness.ts";
import type { Language } from "../domain/records.ts";
import { standingWords, stateWords } from "../i18n/origin-words.ts";
import { wordsOf } from "../i18n/words.ts";
import type { Words } from "../i18n/words.ts";
import { addressLine } from "../pages/filter-origins.ts";
import { findOrigins } from "../pages/read-origins.ts";
import { dayOf } from "../pages/zoned-day.ts";
import type { Services } from "../ports.ts";
import type { OriginStatus } from "../readings/origin-status.ts";
import type { OriginsQuery } from "../views/origins.ts";
import { csvHead, csvLines } from "./csv.ts";
import type { OriginColumn } from "./origin-columns.ts";
import { AFTER_CARRIERS, BEFORE_CARRIERS, carrierHeading, headingOf, isField } from "./origin-columns.ts";
import { zonedTime } from "./sheet-time.ts";

/** A file that is written while it is read. */
export interface Sheet {
  name: string;
  text: AsyncGenerator<string>;
}

/** How many origins are written in one go; others have their turn in between. */
const AT_A_TIME = 100;

/**
 * The origins that a query leaves, all pages of them, as a file: every field, where it comes from, what each carrier said. Null when the
 * shop is unknown.
 */
export async function exportOrigins(
  services: Services,
  { shop, query, language }: { shop: string; query: OriginsQuery; language: Language },
): Promise<Sheet | null> {
  const found = await findOrigins(services, { shop, query });
  if (!found) return null;
  const t = wordsOf(language);
  const { timeZone } = found.shop;
  const text = async function* (): AsyncGenerator<string> {
    const carriers = carriersOf(found.origins);
    yield csvHead([
      ...BEFORE_CARRIERS.map((column) => headingOf(t, column)),
      ...carriers.map((carrier) => carrierHeading(t, carrierName(carrier))),
      ...AFTER_CARRIERS.map((column) => headingOf(t, column)),
    ]);
    for (const [index, some] of chunksOf(found.origins, AT_A_TIME).entries()) {
      if (index > 0) await services.clock.turn(index - 1);
      yield csvLines(some.map((status) => cellsOf(status, { t, timeZone, carriers })));
    }
  };
  const day = dayOf(services.clock.nowMs(), timeZone);
  return { name: t("spreadsheet:file.origins", { day }), text: text() };
}

/** The shop's carriers first, then each other one that said something. */
function carriersOf(origins: readonly OriginStatus[]): string[] {
  return [...new Set(origins.flatMap(({ standings }) => standings.map(({ carrier }) => carrier)))];
}

interface CellsInput {
  t: Words;
  timeZone: string;
  carriers: readonly string[];
}

function cellsOf(status: OriginStatus, { t, timeZone, carriers }: CellsInput): string[] {
  const cell = (column: OriginColumn) => cellOf(status, column, { t, timeZone });
  return [
    ...BEFORE_CARRIERS.map(cell),
    ...carriers.map((carrier) => {
      const standing = status.standings.find((one) => one.carrier === carrier);
      return standing ? standingWords(t, standing) : "";
    }),
    ...AFTER_CARRIERS.map(cell),
  ];
}

function cellOf(
  status: OriginStatus,
  column: OriginColumn,
  { t, timeZone }: Pick<CellsInput, "t" | "timeZone">,
): string {
  const { origin } = status;
  if (isField(column)) return origin.composed.fields[column].value ?? "";
  switch (column) {
    case "location_id":
      return origin.location.locationId;
    case "location_name":
      return origin.location.name;
    case "shopify_address":
      return addressLine(origin);
    case "state":
      return stateWords(t, status);
    case "missing":
      return missingOf(status)
        .map((field) => t(`common:fields.${field}`))
        .join(", ");
    case "synced":
      return origin.link?.syncedAtMs == null ? "" : zonedTime(origin.link.syncedAtMs, timeZone);
    default:
      return sourceWords(
        t,
        origin.composed.fields[column.slice("source:".length) as keyof typeof origin.composed.fields],
      );
  }
}

function missingOf({ origin }: OriginStatus): string[] {
  return [...new Set(readinessOf(origin).flatMap((item) => (item.code === "field" ? [item.field] : [])))];
}

function sourceWords(t: Words, { source, confidence }: { source: string; confidence: string }): string {
  // A guess that nobody confirmed is said as what it is, wherever it was read.
  return t(`spreadsheet:source.${confidence === "unsure" ? "guess" : source}`);
}
