import type { Clock } from "../ports.ts";
import { createFairShare, shareOf } from "./fair-share.ts";
import { LARGEST_BODY } from "./request-body.ts";
import { createTokenBuckets } from "./token-buckets.ts";

/**
 * What is counted: forms, what pages read, what the order page's extension reads, and how many bytes forms leave in the database. Each has its
 * own share.
 */
export type Limit = "forms" | "pages" | "orders" | "stored";

export interface Refused {
  limit: Limit;
  /** After how many seconds another try may succeed. */
  waitS: number;
}

export interface ShopShares {
  /** Takes a request of the shop, until its answer has left. Null when it may go on. */
  take(shop: string, request: Request): Refused | null;
  /** Takes the bytes that a form has rows stored for, which its own length does not tell. Null when it may go on. */
  store(shop: string, bytes: number): Refused | null;
}

/** What a form leaves besides what it says: a line of *Activity*, a work item, the revision of a row. */
const BYTES_BESIDE = 1_000;
const DAY_S = 24 * 3_600;

/** The shares of all shops: what a shop reads without end takes nothing from its forms, and its pages nothing from its orders. */
export function createShopShares(
  clock: Pick<Clock, "monotonicMs">,
  { formsASecond, pagesASecond, storedADay }: { formsASecond: number; pagesASecond: number; storedADay: number },
): ShopShares {
  // Half a day's at once: a large file, or a press on everything, is no reason to wait.
  const stored = createTokenBuckets(clock, { most: storedADay / 2, aSecond: storedADay / DAY_S });
  const shares = {
    forms: createFairShare(clock, shareOf(formsASecond)),
    pages: createFairShare(clock, shareOf(pagesASecond)),
    orders: createFairShare(clock, shareOf(pagesASecond)),
  };
  const store = (shop: string, bytes: number): Refused | null => {
    const waitS = stored.take(shop, bytes);
    return waitS === null ? null : { limit: "stored", waitS };
  };
  return {
    store,
    take(shop, request) {
      const limit = limitOf(request);
      const waitS = shares[limit].take(shop, request.signal);
      if (waitS !== null) return { limit, waitS };
      return limit === "forms" ? store(shop, lengthOf(request) + BYTES_BESIDE) : null;
    },
  };
}

/** A body that does not say how long it is may be as long as any. */
function lengthOf({ headers }: Request): number {
  return Number(headers.get("content-length") ?? LARGEST_BODY);
}

function limitOf({ method, url }: Request): Exclude<Limit, "stored"> {
  if (method === "POST") return "forms";
  return new URL(url).pathname.startsWith("/api/") ? "orders" : "pages";
}
