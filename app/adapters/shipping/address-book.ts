import { AppError, isAppError } from "../../domain/errors.ts";
import type { AddressTemplate, UnreadableRow } from "../../domain/records.ts";
import type { Listing, TemplatePage } from "../../ports.ts";

/**
 * docs/shipping-interface.md, 4.1, over all pages. Pages shift while others add and delete, so a listing counts only if its pages agree
 * with each other.
 */

type ReadPage = (page: number) => Promise<TemplatePage>;

const MOST_READINGS = 5;
/** Half of what a reading that always fails may cost in its first hour. A longer book is read once. */
const MOST_CALLS = 30;
/**
 * The most that is read and kept of one account: far more than a store has origins, and as much as a process can hold of several shops at
 * once. A reading of that many takes eight minutes at two calls a second.
 */
export const MOST_TEMPLATES = 20_000;
/** Of all rows together, as JSON. A template with the usual carriers has about a thousand. */
export const MOST_BOOK_CHARACTERS = 64 * 1024 * 1024;
/** Of a caller that comes again by itself: a second one only compares with the first. */
const READINGS_ONCE = 2;
/** Books whose failing page is remembered; the one that failed longest ago makes room. */
const FAILING_KEPT = 1_000;

/**
 * The page at which the last reading of a book failed. The next reading asks for that page first: while it fails, a reading of a long book
 * costs one call instead of one for each page before it.
 */
export interface FailingPage {
  get(): number | null;
  /** Null: the book was read. */
  set(page: number | null): void;
}

/** The failing pages of many books, kept by this process: each process that reads a book learns of its failing page by one reading. */
export function createFailingPages(): (bookId: string) => FailingPage {
  const failing = new Map<string, number>();
  return (bookId) => ({
    get: () => failing.get(bookId) ?? null,
    set(page) {
      failing.delete(bookId);
      if (page !== null) failing.set(bookId, page);
      if (failing.size > FAILING_KEPT) failing.delete(failing.keys().next().value!);
    },
  });
}

/**
 * Every template of the account, each once, the rows that cannot be read, and one for each that is counted and not shown. Costs
 * max(1, ⌈total ÷ 20⌉) calls. It begins again when the total changes meanwhile or differs from the rows, and throws `unreadable` when the book
 * still changed during the fifth reading, another reading would take it past thirty calls, or a page is empty before all rows came;
 * `book_too_long` as soon as the account says, or shows, that it holds more than `MOST_TEMPLATES` or `MOST_BOOK_CHARACTERS`. `once`: the caller
 * comes again by itself, so a book that changed during a reading is not read anew. Where the last reading failed at a page, that page is asked
 * for first, which is one call more if it answers. What it throws says how many calls it took.
 */
export async function readAllPages(
  readPage: ReadPage,
  { once = false, failing }: { once?: boolean; failing: FailingPage },
): Promise<Listing> {
  let before: string | null = null;
  let calls = 0;
  const readCounted: ReadPage = async (page) => {
    calls += 1;
    try {
      return await readPage(page);
    } catch (error) {
      if (isAppError(error) && error.traits.atService) failing.set(page);
      throw error;
    }
  };
  let pages = 0;
  const readAgain = (count: number) => {
    // The second only compares with the first.
    if (count === 0 || (before !== null && count < READINGS_ONCE)) return true;
    return !once && count < MOST_READINGS && calls + pages <= MOST_CALLS;
  };
  try {
    const failedAt = failing.get();
    // The first page is asked for first anyway.
    if (failedAt !== null && failedAt > 1) await readCounted(failedAt);
    failing.set(null);
    for (let count = 0; readAgain(count); count += 1) {
      const { templates, unreadable, total, totalPages, requestId, whole } = await readOnce(readCounted);
      pages = totalPages;
      const ids = [...templates.keys(), ...unreadable.map(({ id }) => id ?? "?")].join(" ");
      const hidden = total - templates.size - unreadable.length;
      // A service whose count differs from its list is believed when it gives the same list twice.
      if (whole && (hidden === 0 || ids === before))
        return { templates: [...templates.values()], unreadable: [...unreadable, ...notShown(hidden, requestId)] };
      before = whole ? ids : null;
    }
  } catch (error) {
    throw isAppError(error) ? error.costing(calls) : error;
  }
  const message = "list: the address book kept changing while it was read";
  throw new AppError({ kind: "unreadable", message, effect: "none", calls, operation: "list" });
}

interface Reading {
  templates: Map<string, AddressTemplate>;
  unreadable: UnreadableRow[];
  total: number;
  totalPages: number;
  /** Of the last page. */
  requestId: string;
  /** False when the counts changed between two pages. */
  whole: boolean;
}

async function readOnce(readPage: ReadPage): Promise<Reading> {
  const templates = new Map<string, AddressTemplate>();
  const rows: UnreadableRow[] = [];
  let total: number | null = null;
  let totalPages = 1;
  let requestId = "";
  let before = "";
  let characters = 0;
  for await (const page of pages(readPage)) {
    characters += JSON.stringify(page).length;
    const rowCount = rowsIn(templates, rows) + page.templates.length + page.unreadable.length;
    if (Math.max(page.totalCount, rowCount) > MOST_TEMPLATES || characters > MOST_BOOK_CHARACTERS) throw tooLong();
    const shifted = total !== null && (page.totalCount !== total || page.totalPages !== totalPages);
    if (shifted) return { templates, unreadable: rows, ...totalsOf(page), whole: false };
    ({ totalCount: total, totalPages, requestId } = page);
    const ids = idsIn(page);
    if (ids !== "" && ids === before) throw samePageTwice();
    before = ids;
    // Rows that the counts tell of are not there: a create that rests on such a list would be made twice.
    if (ids === "" && page.unreadable.length === 0 && rowsIn(templates, rows) < total) throw emptyPage();
    for (const template of page.templates) templates.set(template.id, template);
    rows.push(...page.unreadable);
  }
  return { templates, unreadable: notRead(rows, templates), total: total ?? 0, totalPages, requestId, whole: true };
}

function totalsOf({ totalCount, totalPages, requestId }: TemplatePage) {
  return { total: totalCount, totalPages, requestId };
}

/** More than are remembered of one book. */
const MOST_NOT_SHOWN = 200;

/** Templates that the service counts and does not show, because its list repeats another one, say. What a create made may be among them. */
function notShown(count: number, requestId: string): UnreadableRow[] {
  const row = { id: null, name: null, what: "not_shown", requestId } as const;
  return Array.from({ length: Math.min(Math.max(0, count), MOST_NOT_SHOWN) }, () => row);
}

function idsIn({ templates, unreadable }: TemplatePage): string {
  return [...templates, ...unreadable].flatMap(({ id }) => id ?? []).join(" ");
}

/** The service, or a cache in between, does not look at the page's number. What stands on the other pages is then unknown. */
function samePageTwice(): AppError {
  return unreadable("list: two pages in a row are the same");
}

/** The service lost the page, or a cache in between keeps an empty one. What should stand there is then unknown. */
function emptyPage(): AppError {
  return unreadable("list: a page is empty that is to hold rows");
}

function rowsIn(templates: ReadonlyMap<string, AddressTemplate>, rows: UnreadableRow[]): number {
  return templates.size + rows.length;
}

function tooLong(): AppError {
  return new AppError({ kind: "book_too_long", message: "list: the account holds too many templates", effect: "none" });
}

/** Each id once, without those of which another page held a readable row. Rows without an id all stay. */
function notRead(rows: UnreadableRow[], templates: ReadonlyMap<string, AddressTemplate>): UnreadableRow[] {
  const ids = rows.map(({ id }) => id);
  return rows.filter(({ id }, index) => id === null || (!templates.has(id) && ids.indexOf(id) === index));
}

/** One page after another, until the number of pages is reached or a page is empty. */
async function* pages(readPage: ReadPage): AsyncGenerator<TemplatePage> {
  for (let number = 1, last = 1; number <= last; number += 1) {
    const page = await readPage(number);
    yield page;
    if (page.templates.length + page.unreadable.length === 0) return;
    last = page.totalPages;
  }
}

function unreadable(message: string): AppError {
  return new AppError({ kind: "unreadable", message, effect: "none", operation: "list" });
}
