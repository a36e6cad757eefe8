import { languageInstance } from "../../i18n/i18n.ts";
import { useRequestLanguage } from "../../i18n/request-language.ts";

/** The app's name is the same in every language. */
export const outsideMeta = () => [{ title: "Origen" }];

/** A page that was opened outside the admin, and where to go instead. */
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
