import validateRfc from "validate-rfc";

/** `check_digit`: the form is right and the check digit is wrong, as in some RFCs that the tax authority itself gave out. */
export type RfcVerdict = "valid" | "check_digit" | "invalid";

/** An RFC in upper case without spaces, hyphens or dots. */
export function normaliseRfc(text: string): string {
  return text
    .normalize("NFC")
    .toUpperCase()
    .replace(/[\s.\-\u2010-\u2015]/g, "");
}

/** Judges an RFC of 12 or 13 characters; the generic `XAXX010101000` and the foreign `XEXX010101000` are valid. */
export function checkRfc(text: string): RfcVerdict {
  const rfc = normaliseRfc(text);
  if (validateRfc(rfc).isValid) return "valid";
  const errors = validateRfc(rfc, { omitVerificationDigit: true }).errors ?? [];
  return errors.some((error) => error === "INVALID_FORMAT" || error === "INVALID_DATE") ? "invalid" : "check_digit";
}
