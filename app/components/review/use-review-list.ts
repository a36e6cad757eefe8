import { useCallback, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import type { Lens, Standing } from "./review-order.ts";
import { CONTACT, WHOLE, lensOf, nextOpen, orderOf, orderWith, shownIn } from "./review-order.ts";

export interface ReviewList {
  /** The ids of the rows to show, in their order. */
  shown: string[];
  /** How much of each row stands below its line; nothing of the others. */
  shows(locationId: string): "asked" | "whole" | null;
  lens: Lens;
  /** Counts the times that the page itself let go of the filter and the search. */
  letGo: number;
  look(asked: Partial<Pick<Lens, "onlyOpen" | "search">>): void;
  /** Lets go of the filter and the search. */
  lookAtAll(): void;
  toggle(locationId: string): void;
  /** Goes to the next place in which something is open. */
  goToOpen(contactLacks: boolean, from?: "here" | "start"): void;
}

/**
 * The rows' order, which of them are opened, and what is looked for. `answer`: the last that came, after which the rows are put in order anew;
 * undefined while one is waited for.
 */
export function useReviewList(
  rows: readonly Standing[],
  { root, answer }: { root: RefObject<HTMLElement | null>; answer: object | null | undefined },
): ReviewList {
  const [{ order, of }, setOrder] = useState(() => ({ order: orderOf(rows), of: answer }));
  const isAnswered = answer !== undefined && answer !== of;
  const arranged = isAnswered ? orderOf(rows, order.opened) : orderWith(order, rows);
  if (arranged !== order) setOrder({ order: arranged, of: isAnswered ? answer : of });
  const [{ lens, letGo }, setLens] = useState({ lens: WHOLE, letGo: 0 });
  const setOpened = useCallback(
    (change: (opened: Set<string>) => void) =>
      setOrder((before) => {
        const opened = new Set(before.order.opened);
        change(opened);
        return { ...before, order: { ...before.order, opened } };
      }),
    [],
  );
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (locationId: string) => {
      setOpened((opened) => opened.delete(locationId));
      setWhole((before) => (before.has(locationId) ? without(before, locationId) : new Set([...before, locationId])));
    },
    [setOpened],
  );
  const shown = shownIn(rows, { order: arranged, lens });
  const { goTo, lastPlace } = useGoTo(root);
  const latest = useRef({ rows, order: arranged, lens, shown });
  useEffect(() => {
    latest.current = { rows, order: arranged, lens, shown };
  });
  const look = useCallback((asked: Partial<Pick<Lens, "onlyOpen" | "search">>) => {
    const { rows: now, lens: before } = latest.current;
    const { onlyOpen, search } = { ...before, ...asked };
    setLens(({ letGo: times }) => ({ lens: lensOf(now, { onlyOpen, search }), letGo: times }));
  }, []);
  const lookAtAll = useCallback(() => setLens(({ letGo: times }) => ({ lens: WHOLE, letGo: times + 1 })), []);
  const goToOpen = useCallback(
    (contactLacks: boolean, from: "here" | "start" = "here") => {
      const now = latest.current;
      const here = from === "start" ? null : lastPlace();
      const place = nextOpen(now.rows, { order: now.order, contactLacks, from: here });
      if (place === null) return;
      if (place !== CONTACT) setOpened((opened) => opened.add(place));
      if (place !== CONTACT && !now.shown.includes(place)) lookAtAll();
      goTo(place);
    },
    [goTo, lastPlace, lookAtAll, setOpened],
  );
  const refused = new Set(rows.filter(({ isRefused }) => isRefused).map(({ locationId }) => locationId));
  const shows = (locationId: string) => {
    if (whole.has(locationId)) return "whole";
    if (!arranged.opened.has(locationId)) return null;
    return refused.has(locationId) ? "whole" : "asked";
  };
  return { shown, shows, lens, letGo, look, lookAtAll, toggle, goToOpen };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((one) => one !== id));
}

/** Moves the focus to what is open in a place, once that is shown. */
function useGoTo(root: RefObject<HTMLElement | null>) {
  const [wanted, setWanted] = useState<{ place: string } | null>(null);
  const last = useRef<string | null>(null);
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const remember = ({ target }: FocusEvent) => {
      const place = (target as HTMLElement).closest<HTMLElement>("[data-place]")?.dataset["place"];
      if (place !== undefined) last.current = place;
    };
    element.addEventListener("focusin", remember);
    return () => element.removeEventListener("focusin", remember);
  }, [root]);
  useEffect(() => {
    if (!wanted) return;
    const place = root.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(wanted.place)}"]`);
    const open = place && firstOpen(place);
    open?.focus({ preventScroll: true });
    open?.scrollIntoView({ block: "center" });
  }, [root, wanted]);
  return {
    goTo: useCallback((place: string) => setWanted({ place }), []),
    lastPlace: useCallback(() => last.current, []),
  };
}

const FIELDS = "input:not([type='checkbox']), select, textarea, a, button";

/** What is marked as open, else an error, else a field that is asked for and empty, else the first field. */
function firstOpen(place: HTMLElement): HTMLElement | null {
  const marked = place.querySelector("[data-open]")?.querySelector<HTMLElement>(FIELDS);
  const faulty = place.querySelector<HTMLElement>('[aria-invalid="true"]');
  const asked = [...place.querySelectorAll<HTMLInputElement>('[aria-required="true"]')];
  return marked ?? faulty ?? asked.find(({ value }) => value === "") ?? place.querySelector<HTMLElement>(FIELDS);
}
