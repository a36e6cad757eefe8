import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../hooks/use-action.ts";
import { useTellOnce } from "../hooks/use-tell-once.ts";
import type { MoveAnswer, MoveIntent } from "./move-intent.ts";

export interface MoveActions {
  send(intent: MoveIntent): void;
  busy: MoveIntent["intent"] | null;
  answer: MoveAnswer | undefined;
}

/** The commands of a move's page, and their answers. */
export function useMove(legacyId: string): MoveActions {
  const { t } = useTranslation("move");
  const [sent, setSent] = useState<MoveIntent["intent"] | null>(null);
  const fetcher = useAction<MoveAnswer>({ key: `move-${legacyId}` });
  useTellOnce(fetcher.data, (answer) => {
    // Said beside the field.
    if (answer.kind === "invalid" || answer.kind === "hour") return null;
    if (answer.kind === "asked") return { words: t(`news.${answer.asks}`) };
    return { words: t(answer.kind === "done" ? `done.${answer.intent}` : `answer.${answer.kind}`) };
  });
  return {
    send(intent) {
      setSent(intent.intent);
      fetcher.submit(JSON.stringify(intent), {
        method: "post",
        action: `/app/origins/${legacyId}/move`,
        encType: "application/json",
      });
    },
    busy: fetcher.state === "idle" ? null : sent,
    answer: fetcher.data,
  };
}
