import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NotTaken } from "../../views/not-taken.ts";
import { useAction } from "../hooks/use-action.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useTellOnce } from "../hooks/use-tell-once.ts";
import type { OriginAnswer, OriginIntent } from "./origin-intent.ts";

export interface OriginActions {
  send(intent: OriginIntent): void;
  /** The intent under way, if any. */
  busy: OriginIntent["intent"] | null;
  answer: OriginAnswer | undefined;
  /** Why the details were not saved; null when they were. */
  notSaved: NotTaken | null;
  /** Why a template was not linked; null when it was. */
  notLinked: NotTaken | null;
}

/** The commands of one origin's page. They name their route, because this page can also be Home. */
export function useOriginActions(legacyId: string, key: string): OriginActions {
  const [sent, setSent] = useState<OriginIntent["intent"] | null>(null);
  // The form of the details and the dialog that links tell by themselves; nobody pressed for a refresh.
  const told = sent === "save" || sent === "link" ? "beside" : sent === "refresh" ? "nowhere" : "above";
  const fetcher = useAction<OriginAnswer>({ key: `${key}-${legacyId}`, told });
  const send = (intent: OriginIntent) => {
    setSent(intent.intent);
    fetcher.submit(JSON.stringify(intent), {
      method: "post",
      action: `/app/origins/${legacyId}`,
      encType: "application/json",
    });
  };
  useNews(fetcher.data, send);
  return {
    send,
    busy: fetcher.state === "idle" ? null : sent,
    answer: fetcher.data,
    notSaved: sent === "save" ? fetcher.notTaken : null,
    notLinked: sent === "link" ? fetcher.notTaken : null,
  };
}

/** What takes back which command. */
const UNDOES: Partial<Record<OriginIntent["intent"], "pause" | "resume">> = { pause: "resume", resume: "pause" };

/** The form itself shows the problems of its fields. */
function useNews(answer: OriginAnswer | undefined, send: OriginActions["send"]): void {
  const { t } = useTranslation("origin");
  const format = useFormat();
  useTellOnce(answer, (told) => {
    if (told.kind === "quiet" || told.kind === "invalid") return null;
    if (told.kind === "asked_lately")
      return { words: t("answer.asked_lately", { when: format.dateTime(told.againAtMs) }) };
    if (told.kind !== "done") return { words: t(`answer.${told.kind}`) };
    const undo = UNDOES[told.intent];
    const words = t(`answer.done.${told.intent}.${told.progress.kind}`);
    return { words, undo: undo ? () => send({ intent: undo }) : null };
  });
}
