import { serviceWords } from "../../i18n/entry-words.ts";
import { useWords } from "./use-words.ts";

/** The service's message about a field: translated where its meaning is plain, quoted otherwise, and where it names the field itself. */
export function useServiceWords(): (message: string) => string {
  const t = useWords();
  return (message) => serviceWords(t, message);
}
