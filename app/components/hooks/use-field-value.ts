import { useTranslation } from "react-i18next";

/** A field's value as text: a person's words as they are, a value of a fixed set translated. */
export function useFieldValue(): (field: string, text: string | null) => string {
  const { t } = useTranslation(["common", "addressBook"]);
  return (field, text) => {
    if (field === "default") return t(`common:${text === "true" ? "yes" : "no"}`);
    if (!text) return t("common:empty");
    return field === "address_type"
      ? t(`addressBook:type.${text}`, { defaultValue: t("addressBook:type.other") })
      : text;
  };
}
