import { useTranslation } from "react-i18next";
import type { AddressField } from "../../domain/address/address.ts";
import type { AddressWarning } from "../../domain/label/warnings.ts";

/** What a field is warned of, in words; nothing for a field without a warning. */
export function useWarningWords(warnings: readonly AddressWarning[]): (field: AddressField) => string[] {
  const { t } = useTranslation("label");
  return (field) =>
    warnings.filter((one) => one.field === field).map(({ code, shown }) => t(`warning.${code}`, { shown }));
}
