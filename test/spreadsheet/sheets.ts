import { parse } from "csv-parse/sync";
import { addLanguage } from "../../app/i18n/i18n.ts";
import english from "../../app/i18n/locales/en.ts";
import spanish from "../../app/i18n/locales/es-MX.ts";
import type { Sheet } from "../../app/spreadsheet/export-origins.ts";

/** What the tests of spreadsheets share: both languages, and a file read as a spreadsheet reads it. */

addLanguage("en", english);
addLanguage("es-MX", spanish);

export async function textOf(sheet: Sheet | null): Promise<string> {
  let text = "";
  for await (const part of sheet!.text) text += part;
  return text;
}

/** The cells as they stand in the file, by the headings. */
export function rowsOf(text: string): Record<string, string>[] {
  return parse(text, { bom: true, columns: true, record_delimiter: "\r\n" }) as Record<string, string>[];
}
