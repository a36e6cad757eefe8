import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../hooks/use-action.ts";
import { useToast } from "../hooks/use-toast.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import type { ReviewAnswer, ReviewIntent } from "./review-intent.ts";
import { editsOf } from "./review-state.ts";
import type { ReviewEdits, SentReview } from "./review-state.ts";

/** Sends what Review asks for, tells the answer, and drops the edits that it confirmed. */
export function useReviewActions(setEdits: (change: (before: ReviewEdits) => ReviewEdits) => void) {
  const { t } = useTranslation("review");
  const fetcher = useAction<ReviewAnswer>({ told: "beside" });
  const toast = useToast();
  const announce = useAnnounce();
  const { data, state } = fetcher;
  const told = useRef(data);
  const sent = useRef<SentReview | null>(null);
  const { submit, notTaken } = fetcher;
  const send = useCallback(
    (intent: ReviewIntent) => {
      if (intent.intent === "confirm") sent.current = intent;
      submit(JSON.stringify(intent), { method: "post", action: "/app/review", encType: "application/json" });
    },
    [submit],
  );
  useEffect(() => {
    // Wait until the page has read which rows are left: until then the confirmed ones would appear once more.
    if (!data || told.current === data || state !== "idle") return;
    told.current = data;
    const refused = data.kind === "confirmed" ? data.refused.map((one) => one.locationId) : [];
    const confirming = sent.current;
    if (data.kind === "confirmed" && confirming) setEdits((before) => editsOf({ sent: confirming, refused }, before));
    if (data.kind === "contact_stale") setEdits(({ contactRevision: _, ...before }) => before);
    const words = t(`answer.${data.kind}`, {
      count: data.kind === "confirmed" ? data.count : 0,
      refused: refused.length,
    });
    const undo = data.kind === "excluded" ? { intent: "includeAgain" as const, locationId: data.locationId } : null;
    toast(words, undo && (() => send(undo)));
    announce(words);
  }, [data, state, send, setEdits, t, toast, announce]);
  return { answer: data, busy: state !== "idle", notTaken, send };
}
