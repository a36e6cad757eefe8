import { createContext, useContext, useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { I18nextProvider } from "react-i18next";
import type { Language } from "../../domain/records.ts";
import { DEFAULT_LANGUAGE, languageInstance, loadLanguage } from "../../i18n/i18n.ts";

/**
 * The shell: what every page of the app stands in. Pages take from here the language, the shop's time zone and the time.
 *
 * - words: `useTranslation("namespace")` of react-i18next; namespaces are the files of app/i18n/locales/
 * - numbers and times: `useFormat()` (use-format.ts), `<Age atMs={…} />` (age.tsx)
 * - a page's frame: `<AppPage title="…">` (app-page.tsx)
 * - forms: `useDraft` and `<SaveBar>` (save-bar.tsx), `useFocusFirstError` (use-focus-first-error.ts)
 * - news: `useToast()` (use-toast.ts), `useAnnounce()` (announcer.tsx)
 * - faults: `<FaultBanner>` (fault-banner.tsx)
 */
export interface Shell {
  language: Language;
  /** The shop's time zone, a name of the IANA database. */
  timeZone: string;
  /** The server's clock when the page was rendered, then the browser's, updated every half minute. */
  nowMs: number;
}

const ShellContext = createContext<Shell>({ language: DEFAULT_LANGUAGE, timeZone: "UTC", nowMs: 0 });

export const useShell = () => useContext(ShellContext);

const TICK_MS = 30_000;

export function ShellProvider({ language, timeZone, nowMs, children }: Shell & { children: ReactNode }) {
  const spoken = useLoadedLanguage(language);
  const shown = useNow(nowMs);
  const shell = useMemo(() => ({ language: spoken, timeZone, nowMs: shown }), [spoken, timeZone, shown]);
  const instance = languageInstance(spoken);
  if (!instance) throw new Error(`The words of ${spoken} are not loaded`);
  return (
    <I18nextProvider i18n={instance.i18n}>
      <ShellContext.Provider value={shell}>{children}</ShellContext.Provider>
    </I18nextProvider>
  );
}

/** The wanted language once its messages are loaded; until then the language before. */
function useLoadedLanguage(wanted: Language): Language {
  const [spoken, setSpoken] = useState(wanted);
  useEffect(() => {
    let left = false;
    void loadLanguage(wanted).then(() => {
      if (left) return;
      document.documentElement.lang = wanted;
      setSpoken(wanted);
    });
    return () => {
      left = true;
    };
  }, [wanted]);
  return languageInstance(wanted) ? wanted : spoken;
}

function useNow(serverNowMs: number): number {
  const [tickedMs, setTickedMs] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTickedMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(serverNowMs, tickedMs);
}
