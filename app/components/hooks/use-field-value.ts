import { useTranslation } from "react-i18next";

/** A field's value in words: its own where a person wrote them, ours where the service knows only a few. */
export function useFieldValue(): (field: string, text: string | null) => string {
  const { t } = useTranslation(["common", "addressBook"]);
  return (field, text) => {
    if (field === "default") return t(`common:${text === "true" ? "yes" : "no"}`);
    if (!text) return t("common:empty");
    return field === "address_type" ? t(`addressBook:type.${text}`, { defaultValue: text }) : text;
  };
}
