import { fold } from "../../domain/address/fold.ts";
import type { RowFacts } from "./row-facts.ts";

/**
 * Which rows of Review are shown, in which order, and which of them are opened. All of it is decided at a press or when rows come, never by what
 * is typed: a row neither moves, closes nor disappears under the hands of who mends it.
 */

/** A row, with what follows from it. */
export interface Standing {
  locationId: string;
  facts: Pick<RowFacts, "opens" | "guesses" | "contactLacks" | "searched">;
  /** The last confirmation left it out. */
  isRefused: boolean;
}

export interface Order {
  locationIds: readonly string[];
  /** Rows below whose line stands what is open in them. */
  opened: ReadonlySet<string>;
}

/** Rows with something open first, then those with a guess, each in the order in which they came. */
export function orderOf(rows: readonly Standing[], opened: ReadonlySet<string> = new Set()): Order {
  const sorted = rows.toSorted((one, other) => rankOf(one) - rankOf(other));
  return {
    locationIds: sorted.map(({ locationId }) => locationId),
    opened: new Set([...opened, ...rows.filter(isOpen).map(({ locationId }) => locationId)]),
  };
}

/** The same order, with rows that came since at its end. The order itself, where none came. */
export function orderWith(order: Order, rows: readonly Standing[]): Order {
  const known = new Set(order.locationIds);
  const news = rows.filter(({ locationId }) => !known.has(locationId));
  if (news.length === 0) return order;
  const more = orderOf(news, order.opened);
  return { locationIds: [...order.locationIds, ...more.locationIds], opened: more.opened };
}

/** Something is open in the row itself. What the contact lacks is filled in above: it neither opens nor moves a row. */
const isOpen = ({ facts, isRefused }: Standing): boolean => isRefused || facts.opens.length > 0;

/** Something keeps the row from being confirmed, be it in the contact that it needs. */
export const isToDo = (row: Standing): boolean => isOpen(row) || row.facts.contactLacks.length > 0;

function rankOf(row: Standing): number {
  if (isOpen(row)) return 0;
  return row.facts.guesses.length > 0 ? 1 : 2;
}

/** What the page shows of its rows. */
export interface Lens {
  onlyOpen: boolean;
  search: string;
  /** The rows that it showed when it was set; they stay, whatever is typed in them. */
  kept: ReadonlySet<string>;
}

export const WHOLE: Lens = { onlyOpen: false, search: "", kept: new Set() };

export function lensOf(rows: readonly Standing[], asked: Pick<Lens, "onlyOpen" | "search">): Lens {
  return { ...asked, kept: new Set(rows.filter((row) => matches(row, asked)).map(({ locationId }) => locationId)) };
}

/** The ids of the rows to show, in their order. */
export function shownIn(rows: readonly Standing[], { order, lens }: { order: Order; lens: Lens }): string[] {
  const byId = new Map(rows.map((row) => [row.locationId, row]));
  return order.locationIds.filter((id) => {
    const row = byId.get(id);
    return row !== undefined && (lens.kept.has(id) || matches(row, lens));
  });
}

function matches(row: Standing, { onlyOpen, search }: Pick<Lens, "onlyOpen" | "search">): boolean {
  const words = fold(search).split(" ").filter(Boolean);
  return (!onlyOpen || isToDo(row)) && words.every((word) => row.facts.searched.includes(word));
}

/** Where the contact of the whole shop stands among the places to go to. */
export const CONTACT = "contact";

/** The next place in which something is open, after `from` and around the end; null where there is none. */
export function nextOpen(
  rows: readonly Standing[],
  { order, contactLacks, from }: { order: Order; contactLacks: boolean; from: string | null },
): string | null {
  const open = new Set(rows.filter(isOpen).map(({ locationId }) => locationId));
  if (contactLacks) open.add(CONTACT);
  const places = [CONTACT, ...order.locationIds];
  const start = from === null ? 0 : places.indexOf(from) + 1;
  return [...places.slice(start), ...places.slice(0, start)].find((place) => open.has(place)) ?? null;
}
