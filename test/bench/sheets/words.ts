import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../../app/domain/records.ts";
import { addLanguage } from "../../../app/i18n/i18n.ts";

const LOCALES = join(import.meta.dirname, "../../../app/i18n/locales");

/** The words of a language, read from its files: what gathers them in the app is the bundler's. */
export function loadWords(language: Language): void {
  const files = readdirSync(join(LOCALES, language)).filter((file) => file.endsWith(".json"));
  const messages = Object.fromEntries(
    files.map((file) => [
      file.replace(".json", ""),
      JSON.parse(readFileSync(join(LOCALES, language, file), "utf8")) as object,
    ]),
  );
  addLanguage(language, { messages, polaris: {} });
}
