import { useTranslation } from "react-i18next";
import { lengthIn, serviceWordIn } from "../../domain/verification/service-words.ts";

/** The service's message about a field: translated where its meaning is plain, quoted otherwise. */
export function useServiceWords(): (message: string) => string {
  const { t } = useTranslation(["origin", "common"]);
  return (message) => {
    const word = serviceWordIn(message);
    if (!word) return t("common:serviceSaid", { words: message });
    return t(`service.${word}`, { length: lengthIn(message) ?? 0 });
  };
}
