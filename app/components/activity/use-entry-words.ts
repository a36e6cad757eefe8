import { entryWords } from "../../i18n/entry-words.ts";
import type { EntryWords } from "../../i18n/entry-words.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useWords } from "../hooks/use-words.ts";

/** An entry of the log as text; one line for all of a verification, with how each carrier's part ended so far. */
export function useEntryWords(): (group: Parameters<typeof entryWords>[1]) => EntryWords {
  const t = useWords();
  const { list } = useFormat();
  return (group) => entryWords({ t, list }, group);
}
