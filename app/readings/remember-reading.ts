import type { Store, Tables } from "../ports.ts";
import { cached, dropCached, keepCached } from "./cache.ts";

interface Reading {
  revision: number | string;
  value: Promise<unknown>;
}

/** One kind of reading: whoever makes it anew, in whatever words, gets another kind. So no reader can be handed what another one read. */
export interface ReadingKind {
  number: number;
  /** Every table that is read. */
  of: readonly (keyof Tables)[];
}

let kinds = 0;

/** Declares a kind of reading, once, where its reader stands. `of`: every table that it reads. */
export function readingOf(...of: readonly (keyof Tables)[]): ReadingKind {
  return { number: (kinds += 1), of };
}

/** A store, or the tables of a transaction, of which nothing is remembered. */
export type Readable = Tables & Pick<Store, "revision">;

export interface Remembered {
  store: Readable;
  shop: string;
  kind: ReadingKind;
  /** Which of its kind, where a shop has several. */
  which?: string;
}

/** Tells the entries of one store from those of another; a server has one store, a test many. */
const numbers = new WeakMap<Readable, number>();
let stores = 0;

/**
 * What was read of a shop, until one of the tables is written; who asks meanwhile waits for the same reading. It is shared: whoever
 * gets it must not change it.
 */
export function rememberReading<T>({ store, shop, kind, which = "" }: Remembered, read: () => Promise<T>): Promise<T> {
  // Before the reading: what is written during it makes the next one anew.
  const revision = store.revision?.(shop, kind.of);
  if (revision === undefined) return read();
  const key = `reading\n${numberOf(store)}\n${kind.number}\n${shop}\n${which}`;
  return typeof revision === "number"
    ? readAt({ key, revision }, read)
    : revision.then((asked) => readAt({ key, revision: asked }, read));
}

function readAt<T>(
  { key, revision }: { key: string; revision: Reading["revision"] },
  read: () => Promise<T>,
): Promise<T> {
  const known = cached<Reading>(key)?.value;
  if (known?.revision === revision) return known.value as Promise<T>;
  const value = read();
  const reading: Reading = { revision, value };
  keepCached(key, reading, 1);
  const isKept = () => cached<Reading>(key)?.value === reading;
  value.then(
    // How many rows it holds is known only now.
    (answer) => isKept() && keepCached(key, reading, rowsIn(answer)),
    () => isKept() && dropCached(key),
  );
  return value;
}

function numberOf(store: Readable): number {
  const number = numbers.get(store) ?? (stores += 1);
  numbers.set(store, number);
  return number;
}

/** Counts the rows of its lists too, for a page's reading is an object of several lists. */
function rowsIn(answer: unknown): number {
  if (answer instanceof Map || answer instanceof Set) return answer.size;
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== "object" || answer === null) return 1;
  return Object.values(answer).reduce<number>(
    (sum, part) =>
      sum + (Array.isArray(part) ? part.length : part instanceof Map || part instanceof Set ? part.size : 0),
    1,
  );
}
