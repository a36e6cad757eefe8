import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../hooks/use-action.ts";
import { useToast } from "../hooks/use-toast.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import type { OriginsAnswer, OriginsIntent } from "./origins-intent.ts";
import { ALL_ORIGINS } from "../../views/origins.ts";

const UNDOES = { paused: "resume", resumed: "pause" } as const;

/** Sends the list's commands and tells each answer once; what was paused or resumed can be undone from there. */
export function useBulk(done: () => void): { send(intent: OriginsIntent): void; busy: boolean } {
  const { t } = useTranslation("origins");
  const fetcher = useAction<OriginsAnswer>();
  const toast = useToast();
  const announce = useAnnounce();
  const { data } = fetcher;
  const send = (intent: OriginsIntent) =>
    fetcher.submit(intent as unknown as Record<string, string>, { method: "post", encType: "application/json" });
  useEffect(() => {
    if (!data) return;
    const words = t(`answer.${data.kind}`, { count: "count" in data ? data.count : 0 });
    const undo =
      "changed" in data && data.changed.length > 0
        ? { locationIds: data.changed, intent: UNDOES[data.kind], query: ALL_ORIGINS }
        : null;
    toast(words, undo && (() => send(undo)));
    announce(words);
    if (data.kind !== "busy") done();
    // Once an answer, whatever else changes.
  }, [data]);
  return { send, busy: fetcher.state !== "idle" };
}
