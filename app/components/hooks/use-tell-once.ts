import { useEffect, useRef } from "react";
import { useAnnounce } from "../shell/announcer.tsx";
import { useToast } from "./use-toast.ts";

interface News {
  words: string;
  /** Takes back what the words tell. */
  undo?: (() => void) | null;
}

/** Tells each answer once: as a toast, and to screen readers. Null is told nowhere; an answer that the page opened with is no news. */
export function useTellOnce<T>(answer: T | undefined, newsOf: (answer: T) => News | null): void {
  const toast = useToast();
  const announce = useAnnounce();
  const told = useRef(answer);
  useEffect(() => {
    if (answer === undefined || told.current === answer) return;
    told.current = answer;
    const news = newsOf(answer);
    if (news === null) return;
    toast(news.words, news.undo ?? null);
    announce(news.words);
  });
}
