import { AppError } from "../../domain/errors.ts";
import type { AddressTemplate, UnreadableRow } from "../../domain/records.ts";
import type { Listing, TemplatePage } from "../../ports.ts";

/**
 * docs/shipping-interface.md, 4.1, over all pages. Pages shift while others add and delete, so what was read must add up before it
 * counts.
 */

type ReadPage = (page: number) => Promise<TemplatePage>;

const MOST_READINGS = 5;

/**
 * Every template of the account, each once, and the rows that cannot be read. Costs max(1, ⌈total ÷ 20⌉) calls; begins again when the total
 * changes meanwhile or does not add up, and throws `unreadable` when the book does not hold still for five readings.
 */
export async function readAllPages(readPage: ReadPage): Promise<Listing> {
  let before: string | null = null;
  for (let count = 0; count < MOST_READINGS; count += 1) {
    const { templates, unreadable, total, whole } = await readOnce(readPage);
    const ids = [...templates.keys(), ...unreadable.map(({ id }) => id ?? "?")].join(" ");
    // A service that counts otherwise than it lists is believed when it lists the same twice.
    if (whole && (templates.size + unreadable.length === total || ids === before))
      return { templates: [...templates.values()], unreadable };
    before = whole ? ids : null;
  }
  throw new AppError({
    kind: "unreadable",
    message: "list: the address book kept changing while it was read",
    effect: "none",
  });
}

interface Reading {
  templates: Map<string, AddressTemplate>;
  unreadable: UnreadableRow[];
  total: number;
  /** False when the counts changed between two pages. */
  whole: boolean;
}

async function readOnce(readPage: ReadPage): Promise<Reading> {
  const templates = new Map<string, AddressTemplate>();
  const rows: UnreadableRow[] = [];
  let total: number | null = null;
  let totalPages = 1;
  for await (const page of pages(readPage)) {
    const shifted = total !== null && (page.totalCount !== total || page.totalPages !== totalPages);
    if (shifted) return { templates, unreadable: rows, total: page.totalCount, whole: false };
    total = page.totalCount;
    totalPages = page.totalPages;
    for (const template of page.templates) templates.set(template.id, template);
    rows.push(...page.unreadable);
  }
  return { templates, unreadable: notRead(rows, templates), total: total ?? 0, whole: true };
}

/** Each id once, and none that another page held a readable row of. A row without an id is one for itself. */
function notRead(rows: UnreadableRow[], templates: ReadonlyMap<string, AddressTemplate>): UnreadableRow[] {
  const ids = rows.map(({ id }) => id);
  return rows.filter(({ id }, index) => id === null || (!templates.has(id) && ids.indexOf(id) === index));
}

/** One page after another, until the last one said or an empty one. */
async function* pages(readPage: ReadPage): AsyncGenerator<TemplatePage> {
  for (let number = 1, last = 1; number <= last; number += 1) {
    const page = await readPage(number);
    yield page;
    if (page.templates.length + page.unreadable.length === 0) return;
    last = page.totalPages;
  }
}
