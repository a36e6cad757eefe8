import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { NotTaken } from "../../views/not-taken.ts";
import { UNANSWERED } from "../../views/not-taken.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { notTakenWords, useTellNotTaken } from "../shell/not-taken.tsx";
import { useShell } from "../shell/shell-context.tsx";
import { useToast } from "./use-toast.ts";

/**
 * Downloads a file that a route writes. App Bridge gives `fetch` the session token, which a link would go without; so the file comes into the
 * page, and the browser saves it from there. A file that broke off is not saved.
 */
export function useDownload(): { download(href: string): void; loading: boolean } {
  const [loading, setLoading] = useState(false);
  const [notTaken, setNotTaken] = useState<NotTaken | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const { language } = useShell();
  const { t } = useTranslation("shell");
  const announce = useAnnounce();
  const toast = useToast();
  useTellNotTaken(notTaken);
  useEffect(() => () => leaving.current?.abort(), []);

  const download = useCallback(
    (href: string) => {
      leaving.current?.abort();
      const ended = new AbortController();
      leaving.current = ended;
      setLoading(true);
      setNotTaken(null);
      void fetchFile(withLanguage(href, language), ended.signal).then((file) => {
        if (ended.signal.aborted) return;
        setLoading(false);
        if ("name" in file) {
          save(file);
          toast(t("downloaded", { name: file.name }));
        } else {
          setNotTaken(file);
          announce(notTakenWords(t, file).text);
        }
      });
    },
    [announce, language, t, toast],
  );
  return { download, loading };
}

interface File {
  name: string;
  content: Blob;
}

function withLanguage(href: string, language: string): string {
  const address = new URL(href, window.location.origin);
  address.searchParams.set("language", language);
  return address.pathname + address.search;
}

async function fetchFile(href: string, signal: AbortSignal): Promise<File | NotTaken> {
  try {
    const answer = await fetch(href, { signal });
    if (answer.status === 429)
      return {
        tooManyForS: Number(answer.headers.get("Retry-After")) || 1,
        isStored: false,
      };
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
    return answer.ok && name !== undefined ? { name, content: await answer.blob() } : UNANSWERED;
  } catch {
    return UNANSWERED;
  }
}

function save({ name, content }: File): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
