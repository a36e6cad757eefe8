import { useRouteLoaderData } from "@remix-run/react";
import type { Language } from "../../domain/records.ts";
import { DEFAULT_LANGUAGE, languageInstance } from "../../i18n.ts";

/** The name of the app is no word to translate. */
export const outsideMeta = () => [{ title: "Origen" }];

/** What a page says that was opened outside the admin: where to go instead. */
export function OutsideAdmin() {
  const root = useRouteLoaderData("root") as { language?: Language } | undefined;
  const words = languageInstance(root?.language ?? DEFAULT_LANGUAGE)?.i18n.getFixedT(null, "shell");
  return (
    <main className="origen-plain">
      <h1>{words?.("outside.title")}</h1>
      <p>{words?.("outside.text")}</p>
      <p>{words?.("outside.steps")}</p>
    </main>
  );
}
