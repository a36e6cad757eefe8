import type { Frame, Locator } from "playwright-core";
import english from "../../app/i18n/locales/en.ts";
import spanish from "../../app/i18n/locales/es-MX.ts";
import type { PageName } from "./pages-stage.ts";

/** Every dialog of the app: on which page it is, and the button that opens it. */

export type PageLanguage = "en" | "es";

/** The app's own word for something, without parameters but for the unnamed service: `say("es", "origin:delete.open")`. */
export function say(language: PageLanguage, key: string): string {
  const { unnamed, account } = (messagesOf(language).common as { service: { unnamed: string; account: string } })
    .service;
  const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
  return textOf(language, key)
    .replaceAll("{service}", unnamed)
    .replaceAll("{Service}", capital(unnamed))
    .replaceAll("{account}", account)
    .replaceAll("{Account}", capital(account));
}

function messagesOf(language: PageLanguage): Record<string, object> {
  return (language === "es" ? spanish : english).messages;
}

function textOf(language: PageLanguage, key: string): string {
  const [namespace, path] = key.split(":") as [string, string];
  const found = path
    .split(".")
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], messagesOf(language)[namespace]);
  if (typeof found !== "string") throw new Error(`There is no text ${key}`);
  return found;
}

export interface DialogPlace {
  page: PageName;
  /** Key of the button's words. */
  button: string;
}

export const DIALOGS: Record<string, DialogPlace> = {
  verify: { page: "origin", button: "origin:verification.choose" },
  unlink: { page: "origin", button: "origin:unlink" },
  "delete-origin": { page: "origin", button: "origin:delete.open" },
  link: { page: "origin-to-review", button: "origin:linkExisting" },
  "delete-address": { page: "address", button: "addressBook:delete" },
  disconnect: { page: "settings", button: "settings:connection.disconnect" },
};

export function opener(app: Frame, { place, language }: { place: DialogPlace; language: PageLanguage }): Locator {
  return app.getByRole("button", { name: say(language, place.button), exact: true });
}
