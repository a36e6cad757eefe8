import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useAnnounce } from "../shell/announcer.tsx";
import { useToast } from "../hooks/use-toast.ts";
import type { OriginAnswer, OriginIntent } from "./origin-intent.ts";

export interface OriginActions {
  send(intent: OriginIntent): void;
  /** The intent under way, if any. */
  busy: OriginIntent["intent"] | null;
  answer: OriginAnswer | undefined;
}

/** The commands of one origin's page. They name their route, because this page can also be Home. */
export function useOriginActions(legacyId: string, key: string): OriginActions {
  const fetcher = useFetcher<OriginAnswer>({ key: `${key}-${legacyId}` });
  const sent = useRef<OriginIntent["intent"] | null>(null);
  useNews(fetcher.data);
  return {
    send(intent) {
      sent.current = intent.intent;
      fetcher.submit(JSON.stringify(intent), {
        method: "post",
        action: `/app/origins/${legacyId}`,
        encType: "application/json",
      });
    },
    busy: fetcher.state === "idle" ? null : sent.current,
    answer: fetcher.data,
  };
}

/** Tells each answer once: as a toast, and to screen readers. The form itself shows the problems of its fields. */
function useNews(answer: OriginAnswer | undefined): void {
  const { t } = useTranslation("origin");
  const toast = useToast();
  const announce = useAnnounce();
  const told = useRef(answer);
  useEffect(() => {
    if (!answer || told.current === answer) return;
    told.current = answer;
    if (answer.kind === "quiet" || answer.kind === "invalid") return;
    const words =
      answer.kind === "done" ? t(`answer.done.${answer.intent}.${answer.progress.kind}`) : t(`answer.${answer.kind}`);
    toast(words);
    announce(words);
  }, [answer, t, toast, announce]);
}
