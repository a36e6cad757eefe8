import { useBlocker } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ComponentType, ReactNode, RefAttributes } from "react";
import { useTranslation } from "react-i18next";
import { useUnsaved } from "../outage/unsaved.ts";

/**
 * What a form holds over what is saved. Input survives a failed save because only `markSaved` or `discard` lets it go, and a page that
 * reloads its data under the form changes the untouched fields only.
 *
 *   const draft = useDraft(data.settings);            // any flat object
 *   <TextField value={draft.values.email} onChange={(email) => draft.set({ email })} … />
 *   <SaveBar dirty={draft.dirty} saving={fetcher.state !== "idle"} onSave={() => fetcher.submit(…)} onDiscard={draft.discard} />
 *   useEffect(() => { if (fetcher.data?.kind === "saved") draft.markSaved(); }, [fetcher.data]);
 */
export interface Draft<T extends object> {
  values: T;
  dirty: boolean;
  set(patch: Partial<T>): void;
  discard(): void;
  /** The same as `discard`, after a save: the form shows what is saved now. */
  markSaved(): void;
}

export function useDraft<T extends object>(saved: T): Draft<T> {
  const [patch, setPatch] = useState<Partial<T>>({});
  const values = useMemo(() => ({ ...saved, ...patch }), [saved, patch]);
  const dirty = (Object.keys(patch) as (keyof T)[]).some(
    (key) => JSON.stringify(patch[key]) !== JSON.stringify(saved[key]),
  );
  const set = useCallback((more: Partial<T>) => setPatch((before) => ({ ...before, ...more })), []);
  const discard = useCallback(() => setPatch({}), []);
  return { values, dirty, set, discard, markSaved: discard };
}

export interface SaveBarProps {
  dirty: boolean;
  saving: boolean;
  onSave(): void;
  onDiscard(): void;
  /** Needed only when a page has several forms. */
  id?: string;
}

/** Shopify's save bar for a form. While it shows, leaving the page needs a confirmation. */
export function SaveBar({ dirty, saving, onSave, onDiscard, id = "save-bar" }: SaveBarProps) {
  const { t } = useTranslation("common");
  const bar = useRef<UISaveBarElement>(null);

  useEffect(() => {
    const element = bar.current;
    // Without App Bridge (a blocked script) the element does nothing.
    if (dirty) void element?.show?.();
    else void element?.hide?.();
  }, [dirty]);
  useEffect(() => {
    const element = bar.current;
    return () => void element?.hide?.();
  }, []);
  useAskBeforeLeaving(dirty && !saving);
  useUnsaved(dirty);

  return (
    <Bar id={id} ref={bar}>
      <button variant="primary" type="button" onClick={onSave} disabled={saving} {...(saving ? { loading: "" } : {})}>
        {t("save")}
      </button>
      <button type="button" onClick={onDiscard} disabled={saving}>
        {t("discard")}
      </button>
    </Bar>
  );
}

// App Bridge's types describe the element's children as data; in React they are elements.
const Bar = "ui-save-bar" as unknown as ComponentType<
  { id: string; children: ReactNode } & RefAttributes<UISaveBarElement>
>;

/** Another query is another page, which a form need not outlive; a place within the page is not. */
export function isLeaving(
  from: Pick<Location, "pathname" | "search">,
  to: Pick<Location, "pathname" | "search">,
): boolean {
  return from.pathname !== to.pathname || from.search !== to.search;
}

function useAskBeforeLeaving(dirty: boolean): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => dirty && isLeaving(currentLocation, nextLocation));
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const asked = window.shopify?.saveBar.leaveConfirmation() ?? Promise.resolve();
    void asked.then(() => blocker.proceed());
  }, [blocker]);
}
