import { createContext, useContext } from "react";
import { useRouteLoaderData } from "@remix-run/react";
import type { Language } from "../domain/records.ts";
import { DEFAULT_LANGUAGE, toLanguage } from "./i18n.ts";

/** The language that the request asks for, for documents whose loaders never ran; undefined in the browser. */
export const RequestLanguageContext = createContext<Language | undefined>(undefined);

/** The request's own language, whatever Settings say, and even when the page failed to load. */
export function useRequestLanguage(): Language {
  const root = useRouteLoaderData("root") as { language?: Language } | undefined;
  const ofRequest = useContext(RequestLanguageContext);
  const shown = typeof document === "undefined" ? DEFAULT_LANGUAGE : toLanguage(document.documentElement.lang);
  return root?.language ?? ofRequest ?? shown;
}
