import type pg from "pg";

/** The table's name on disk; Shopify's sessions count as one. */
type OnDisk = string;

export interface SharedRevisions {
  /** What the tables' numbers are now, as one text; each time another one when they have none. @throws when the database cannot be asked. */
  of(shop: string, tables: readonly OnDisk[]): Promise<string>;
}

interface Question {
  shops: Set<string>;
  answer: Promise<Map<string, string>>;
}

/** How many questions may be under way; whoever asks meanwhile shares the next one. */
const AT_ONCE = 2;

const ASK =
  'SELECT "shop" || \' \' || "table" AS "key", "number"::text AS "number" FROM "Revision" WHERE "shop" = ANY($1)';

/**
 * Asks the database whether what was read of a shop still holds. Its triggers change a number in each transaction that writes, whichever
 * process that is. Those who ask in the same moment share one question, but only one that was not sent yet: an answer under way may be
 * of before a save that somebody has just seen end.
 */
export function createSharedRevisions(pool: Pick<pg.Pool, "query">): SharedRevisions {
  let next: Question | null = null;
  let underWay = 0;
  let asked = 0;
  const waiting: (() => void)[] = [];

  const send = async (shops: Set<string>): Promise<Map<string, string>> => {
    if (underWay >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else await Promise.resolve();
    next = null;
    underWay += 1;
    try {
      const { rows } = await pool.query<{ key: string; number: string }>(ASK, [[...shops]]);
      return new Map(rows.map(({ key, number }) => [key, number]));
    } finally {
      underWay -= 1;
      waiting.shift()?.();
    }
  };

  const begin = (): Question => {
    const shops = new Set<string>();
    return { shops, answer: send(shops) };
  };

  return {
    async of(shop, tables) {
      next ??= begin();
      next.shops.add(shop);
      const numbers = await next.answer;
      const known = tables.map((table) => numbers.get(`${shop} ${table}`) ?? "");
      // A shop that has no number may have been there and gone since: what was read of it then does not hold.
      return known.some((number) => number !== "") ? known.join() : `none ${(asked += 1)}`;
    },
  };
}
