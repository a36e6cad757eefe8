import i18next from "i18next";
import type { i18n } from "i18next";
import ICU from "i18next-icu";
import type { Language } from "../domain/records.ts";
import type { LanguageResources } from "./locales/namespaces.ts";

/**
 * The app's messages: one JSON file for each page and language in app/i18n/locales/, as ICU messages. No cookie decides the language: it is
 * that of Settings, else the document's `locale`, else `Accept-Language`. The server holds both languages, and a browser loads the one it
 * renders.
 *
 * In a component: `const { t } = useTranslation("home")` (react-i18next), `t("queue", { calls: 3 })`, `t("faults:timeout")`.
 */

/** The shipping service's name, of `SHIPPING_SERVICE_NAME`; null until `nameService`, and where nobody named it. */
let serviceName: string | null = null;

/** Before any language is added: names the shipping service in all messages. */
export function nameService(name: string | null): void {
  serviceName = name;
}

const instances = new Map<Language, { i18n: i18n; polaris: LanguageResources["polaris"] }>();

export const DEFAULT_LANGUAGE: Language = "en";

export function addLanguage(language: Language, { messages, polaris }: LanguageResources): void {
  const instance = i18next.createInstance();
  void instance.use(new ICU()).init({
    lng: language,
    resources: { [language]: messages },
    fallbackLng: false,
    fallbackNS: "common",
    defaultNS: "common",
    ns: Object.keys(messages),
    initAsync: false,
    returnNull: false,
    interpolation: { escapeValue: false, defaultVariables: serviceWords(messages) },
    react: { useSuspense: false },
  });
  instances.set(language, { i18n: instance, polaris });
}

interface ServiceMessages {
  unnamed: string;
  account: string;
  namedAccount: string;
}

/**
 * What `{service}` and `{account}` stand for in every message, and `{Service}` and `{Account}` where a sentence begins. A name needs no
 * article and the unnamed service brings its own, so a message holds none before `{service}`; `{account}` is the noun alone.
 */
function serviceWords(messages: LanguageResources["messages"]): Record<string, string> {
  const { unnamed, account, namedAccount } = (messages.common as { service: ServiceMessages }).service;
  const service = serviceName ?? unnamed;
  const named = serviceName === null ? account : namedAccount.replace("{name}", () => service);
  return { service, Service: capitalised(service), account: named, Account: capitalised(named) };
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Undefined until `addLanguage` or `loadLanguage` has loaded the language. */
export function languageInstance(language: Language) {
  return instances.get(language);
}

/** Loads a language in the browser; the server holds both already. */
export async function loadLanguage(language: Language): Promise<void> {
  if (instances.has(language)) return;
  const resources = language === "es-MX" ? await import("./locales/es-MX.ts") : await import("./locales/en.ts");
  addLanguage(language, resources.default);
}

/** The language of `?locale=` (Shopify's admin sends the user's), else of `Accept-Language`. */
export function languageOfRequest(request: Request): Language {
  const asked = new URL(request.url).searchParams.get("locale");
  const accepted = (request.headers.get("Accept-Language") ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const quality = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .sort((a, b) => b.quality - a.quality)
    .map((each) => each.tag);
  for (const tag of [asked ?? "", ...accepted]) {
    const language = tag.toLowerCase().split(/[-_]/)[0];
    if (language === "es") return "es-MX";
    if (language === "en") return "en";
  }
  return DEFAULT_LANGUAGE;
}

/** The language of a tag such as `<html lang>` holds. */
export function toLanguage(tag: string): Language {
  return tag === "es-MX" ? "es-MX" : "en";
}
