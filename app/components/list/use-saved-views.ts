import { useCallback, useEffect, useState } from "react";

/** A filter that somebody named, to come back to it. */
export interface SavedView {
  name: string;
  /** The list's query, as in the URL, without its page. */
  query: string;
}

/** More than anybody would look through. */
const MOST = 20;

/**
 * The views that somebody saved of a list, in this browser (decision 67). Another's browser, and one that keeps nothing, has none.
 */
export function useSavedViews(list: string): {
  views: SavedView[];
  save(view: SavedView): void;
  remove(name: string): void;
} {
  const [views, setViews] = useState<SavedView[]>([]);
  // The server knows none, so they come once the page stands.
  useEffect(() => setViews(readViews(list)), [list]);
  const keep = useCallback(
    (next: SavedView[]) => {
      setViews(next);
      writeViews(list, next);
    },
    [list],
  );
  return {
    views,
    save: (view) => keep([...views.filter(({ name }) => name !== view.name), view].slice(-MOST)),
    remove: (name) => keep(views.filter((view) => view.name !== name)),
  };
}

/** Stores of one browser are apart: a carrier of one may be unknown in another. */
const keyOf = (list: string) => `origen.views.${list}.${window.shopify?.config?.shop ?? ""}`;

function readViews(list: string): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    // Written by nobody who knows the form, or a browser that lets no frame keep anything.
    return [];
  }
}

function writeViews(list: string, views: SavedView[]): void {
  try {
    localStorage.setItem(keyOf(list), JSON.stringify(views));
  } catch {
    // They hold as long as the page is open.
  }
}

function isView(one: unknown): one is SavedView {
  const view = one as Partial<SavedView> | null;
  return typeof view?.name === "string" && typeof view.query === "string";
}
