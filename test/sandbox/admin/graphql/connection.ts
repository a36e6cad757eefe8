import { GraphQLError } from "graphql";

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  reverse?: boolean | null;
}

export interface ConnectionInput<T> {
  records: readonly T[];
  page: PageArguments;
  /** What the list is sorted by; ties are broken by id. */
  sortValue: (record: T) => string | number;
  id: (record: T) => number;
  toNode: (record: T) => unknown;
}

const LARGEST_PAGE = 250;

/** A page of records in Shopify's form. Cursors hold the sort value, so that a record which disappears between pages shifts no other. */
export function connection<T>({ records, page, sortValue, id, toNode }: ConnectionInput<T>): Record<string, unknown> {
  const size = page.first ?? page.last;
  if (size === null || size === undefined) throw badRequest("you must provide one of first or last");
  if (size < 0 || size > LARGEST_PAGE) throw badRequest(`Page size must be between 0 and ${LARGEST_PAGE}`);
  const key = (record: T): Key => [sortValue(record), id(record)];
  const sorted = records.toSorted((a, b) => compare(key(a), key(b)));
  if (page.reverse) sorted.reverse();
  const direction = page.reverse ? -1 : 1;
  const after = page.after ? decode(page.after) : null;
  const before = page.before ? decode(page.before) : null;
  const within = sorted.filter(
    (record) =>
      (!after || direction * compare(key(record), after) > 0) &&
      (!before || direction * compare(key(record), before) < 0),
  );
  const chosen = page.first == null ? within.slice(Math.max(0, within.length - size)) : within.slice(0, size);
  const edges = chosen.map((record) => ({ cursor: encode(key(record)), node: toNode(record) }));
  const forward = page.first != null;
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      hasNextPage: forward ? within.length > chosen.length : before !== null,
      hasPreviousPage: forward ? after !== null : within.length > chosen.length,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

type Key = [value: string | number, id: number];

function compare(a: Key, b: Key): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] - b[1];
}

function encode([value, id]: Key): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: value })).toString("base64");
}

function decode(cursor: string): Key {
  try {
    const held = JSON.parse(Buffer.from(cursor, "base64").toString("utf8")) as {
      last_id: number;
      last_value: string | number;
    };
    return [held.last_value, held.last_id];
  } catch {
    throw badRequest("Invalid cursor for current pagination sort.");
  }
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
}
