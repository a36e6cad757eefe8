import { languageInstance } from "../../i18n/i18n.ts";
import { useRequestLanguage } from "../../i18n/request-language.ts";

/** The name of the app is no word to translate. */
export const outsideMeta = () => [{ title: "Origen" }];

/** What a page says that was opened outside the admin: where to go instead. */
export function OutsideAdmin() {
  const words = languageInstance(useRequestLanguage())?.i18n.getFixedT(null, "shell");
  return (
    <main className="origen-plain">
      <h1>{words?.("outside.title")}</h1>
      <p>{words?.("outside.text")}</p>
      <p>{words?.("outside.steps")}</p>
    </main>
  );
}
