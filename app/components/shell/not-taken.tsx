import { Banner, Text } from "../../polaris/polaris.ts";
import type { TFunction } from "i18next";
import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { NotTaken } from "../../views/not-taken.ts";
import { isTooMany } from "../../views/not-taken.ts";
import { PageTop } from "./page-top.tsx";

type Tell = (why: NotTaken) => () => void;

const TellContext = createContext<Tell>(() => () => undefined);

/** Shows above the page, as long as the caller says so, that what was pressed was not carried out. Null: it was. */
export function useTellNotTaken(why: NotTaken | null): void {
  const tell = useContext(TellContext);
  useEffect(() => (why === null ? undefined : tell(why)), [why, tell]);
}

/**
 * What stands above every page, of which only the first is shown (`shell.css`): what was pressed and not carried out, as `useTellNotTaken`
 * tells it, and then `others` in their order.
 */
export function AbovePage({ others, children }: { others: ReactNode; children: ReactNode }) {
  const [told, setTold] = useState<readonly { why: NotTaken }[]>([]);
  const tell = useCallback<Tell>((why) => {
    const one = { why };
    setTold((before) => [...before, one]);
    return () => setTold((before) => before.filter((each) => each !== one));
  }, []);
  const last = told.at(-1);
  return (
    <TellContext.Provider value={tell}>
      <div className="origen-ranked">
        {last && (
          <PageTop>
            <NotTakenNote why={last.why} />
          </PageTop>
        )}
        {others}
      </div>
      {children}
    </TellContext.Provider>
  );
}

/** What happened, what became of what was typed, and what to press. */
export function notTakenWords(t: TFunction<"shell">, why: NotTaken): { title: string; text: string } {
  if (isTooMany(why)) {
    if (!why.isStored) return { title: t("tooMany.title"), text: t("tooMany.again", { count: why.tooManyForS }) };
    const minutes = Math.ceil(why.tooManyForS / 60);
    return { title: t("tooMuch.title"), text: t("tooMuch.again", { count: minutes }) };
  }
  return { title: t("unanswered.title"), text: t("unanswered.text") };
}

/** That a form was not taken. Nothing where it was. */
export function NotTakenNote({ why }: { why: NotTaken | null }) {
  const { t } = useTranslation("shell");
  const note = useRef<HTMLDivElement>(null);
  // Shopify's bar saves from above, however far down the form is read. The focus stays on the button, to be pressed again.
  useEffect(() => void note.current?.scrollIntoView({ block: "center" }), [why]);
  if (why === null) return null;
  const { title, text } = notTakenWords(t, why);
  return (
    <div ref={note}>
      <Banner tone="warning" title={title}>
        <Text as="p">{text}</Text>
      </Banner>
    </div>
  );
}
