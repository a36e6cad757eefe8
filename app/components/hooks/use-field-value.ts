import { fieldValue } from "../../i18n/entry-words.ts";
import { useWords } from "./use-words.ts";

/** A field's value as text: a person's words as they are, a value of a fixed set translated. */
export function useFieldValue(): (field: string, text: string | null) => string {
  const t = useWords();
  return (field, text) => fieldValue(t, field, text);
}
