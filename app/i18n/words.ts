import type { Language } from "../domain/records.ts";
import { languageInstance } from "./i18n.ts";

/** Looks messages up: a component's `t`, or `wordsOf` on the server. */
export type Words = (key: string | string[], options?: Record<string, unknown>) => string;

/**
 * All messages of a language, each by its namespace: `words("common:saved")`. For what the server itself writes in a person's language.
 *
 * @throws while the language is not loaded
 */
export function wordsOf(language: Language): Words {
  const instance = languageInstance(language);
  if (!instance) throw new Error(`The words of ${language} are not loaded`);
  const t = instance.i18n.getFixedT(language);
  return (key, options = {}) => t(key, options);
}
