import { useTranslation } from "react-i18next";
import { fieldIn } from "../../domain/verification/field-words.ts";
import { lengthIn, serviceWordIn } from "../../domain/verification/service-words.ts";

/** The service's message about a field: translated where its meaning is plain, quoted otherwise, and where it names the field itself. */
export function useServiceWords(): (message: string) => string {
  const { t } = useTranslation(["origin", "common"]);
  return (message) => {
    // A sentence that names its field says more than our words would.
    const word = fieldIn(message) === null ? serviceWordIn(message) : null;
    if (!word) return t("common:serviceSaid", { words: message });
    return t(`service.${word}`, { length: lengthIn(message) ?? 0 });
  };
}
