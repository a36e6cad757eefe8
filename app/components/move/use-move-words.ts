import { useTranslation } from "react-i18next";
import type { MoveNews } from "../../domain/plan/move-news.ts";
import { useFormat } from "../hooks/use-format.ts";

/** The one sentence on a move, as every page says it. */
export function useMoveWords(): (news: MoveNews) => string {
  const { t } = useTranslation("move");
  const format = useFormat();
  return ({ code, atMs }) => t(`news.${code}`, { when: atMs === null ? "" : format.dateTime(atMs) });
}
