import { useTranslation } from "react-i18next";
import type { ConnectionSummary } from "../../views/origins.ts";

/** Why nothing can be asked of the shipping service, as what to do first; null when it can. The same words on every page. */
export function useClosedWords(connection: ConnectionSummary | null): string | null {
  const { t } = useTranslation("common");
  const reason = connection === null ? "not_connected" : connection.closed;
  return reason && t(`closed.${reason}`);
}
