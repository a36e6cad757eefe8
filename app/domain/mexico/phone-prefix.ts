/** What a phone's prefix tells, without the tables of all countries' numbers, which a browser need not load. */

const TEN_DIGITS = /^[2-9]\d{9}$/;

/** Old Mexican prefixes: `01`, `044` and `045` before a national number, `1` after `+52`. None is valid any more. */
export function withoutOldPrefix(digits: string): string | null {
  const national = digits
    .replace(/^(?:00)?52(?=1?\d{10}$)/, "")
    .replace(/^(?:044|045|01)(?=\d{10}$)/, "")
    .replace(/^1(?=\d{10}$)/, "");
  return TEN_DIGITS.test(national) ? national : null;
}

/** Whether a phone is written as another country's: with an international prefix that is not Mexico's. */
export function isForeignNumber(written: string): boolean {
  return /^(?:\+|00)/.test(written) && !/^(?:00)?52/.test(written.replace(/\D/g, ""));
}
