import { useMemo } from "react";
import { COUNTRY_CODES } from "../../domain/address/countries.ts";
import { useShell } from "../shell/shell-context.tsx";
import { useFormat } from "../hooks/use-format.ts";
import { useRowsInTurn } from "../hooks/use-rows-in-turn.ts";

const HOME = "MX";

/**
 * Every country by name, with Mexico first. A chosen code that is no country's is kept and shown. The other options are added after the
 * first render: a browser may name a country otherwise than the server, and React would then render the page again.
 */
export function useCountryOptions(chosen: string): { value: string; label: string }[] {
  const { country } = useFormat();
  const { language } = useShell();
  const codes = useRowsInTurn(COUNTRY_CODES, 0);
  return useMemo(() => {
    const { compare } = new Intl.Collator(language);
    const named = (value: string) => ({ value, label: country(value) });
    const first = [...new Set([HOME, chosen])];
    const known = first.map((code) => code.toUpperCase());
    const others = codes.filter((code) => !known.includes(code)).map(named);
    return [...first.map(named), ...others.sort((a, b) => compare(a.label, b.label))];
  }, [chosen, codes, country, language]);
}
