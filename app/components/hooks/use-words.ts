import { useMemo } from "react";
import { wordsOf } from "../../i18n/words.ts";
import type { Words } from "../../i18n/words.ts";
import { useShell } from "../shell/shell-context.tsx";

/** All messages of the page's language, for the words that the server writes, too. */
export function useWords(): Words {
  const { language } = useShell();
  return useMemo(() => wordsOf(language), [language]);
}
