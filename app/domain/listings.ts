/**
 * What several listings of one address book prove together. Pure.
 *
 * A listing is read page by page. If the book changes meanwhile, a listing may miss a template that was there all the time: somebody
 * deletes a template of a page that was read already, all later ones move up, and the first template of the next page moves to the page
 * that was read already. If somebody also adds a template, the counts do not show the deletion. Besides, a list may lag behind the writes,
 * by `apartMs` at most.
 *
 * The proof. Let a listing A hold N templates, as many as its counts say. Let A miss a template T, which was there from `apartMs` before A
 * began until A ended. At the latest moment that any page of A shows, the book held N templates, and T was one of them. A holds N templates
 * without T, so A holds some X that the book no longer held at that moment. X was deleted before A ended, and its id never comes again. So
 * a listing B that begins `apartMs` after A's end cannot show X. Turned round: **if B begins `apartMs` after A's end and holds everything
 * that A holds, A missed nothing.** B may hold more: templates that were added in between do not matter.
 *
 * In a book from which others delete all the time, no two listings may ever agree like that. There, `IN_A_ROW` listings in a row are
 * enough. Each of them would have to miss the same template, which takes a deletion and an addition between the same two pages, with this
 * template next in line, every time. We take that for impossible, so that a busy book delays nobody by more than `IN_A_ROW` listings.
 *
 * A service may also lose sight of a template for a moment, in every listing of that moment. So a template is believed absent only after
 * listings have lacked it for `absentAfterMs`, the same time that its own GET must answer 404.
 */

export interface Listing {
  /** The ids of all rows, readable or not. */
  ids: ReadonlySet<string>;
  /** How many rows have no readable id. */
  nameless: number;
  /** Templates that were known when the listing ended, and that it does not hold. */
  lacks: ReadonlySet<string>;
  /** Those of `lacks` that some answer has shown since the listing before. */
  lacksAnew: ReadonlySet<string>;
  /** By the monotonic clock of the process that read the listing. */
  startedMs: number;
  endedMs: number;
}

export interface Proof {
  /** The last listing, with which the next one is compared. */
  last: Listing;
  /**
   * When each of the last listings began that followed one another without agreement: something that one held was missing from the next.
   */
  startsMs: readonly number[];
  /** What all of those listings lack. */
  lacked: ReadonlySet<string>;
  /** For each template that the last listing lacks: when the first began of the unbroken row of listings that lacked it. */
  lackingSinceMs: ReadonlyMap<string, number>;
  /** Every template that was there `apartMs` before this time is known; null while nothing is proved. */
  provedFromMs: number | null;
  /** Which templates the listing that was added last proved to be absent, beyond those proved before. */
  absent: ReadonlySet<string>;
}

const IN_A_ROW = 5;

const NOTHING: ReadonlySet<string> = new Set();

export interface Patience {
  apartMs: number;
  absentAfterMs: number;
}

/** What is proved after one more listing. A listing that began too soon after the last adds nothing. */
export function withListing(before: Proof | null, listing: Listing, { apartMs, absentAfterMs }: Patience): Proof {
  const lackingSinceMs = lackingSince(before, listing);
  const alone = { last: listing, startsMs: [listing.startedMs], lacked: listing.lacks, lackingSinceMs };
  const longEnough = (id: string) => listing.startedMs - lackingSinceMs.get(id)! >= absentAfterMs;
  if (before === null) return { ...alone, provedFromMs: null, absent: NOTHING };
  const { last } = before;
  if (listing.startedMs - last.endedMs < apartMs) return { ...before, absent: NOTHING };
  if (listing.nameless >= last.nameless && [...last.ids].every((id) => listing.ids.has(id))) {
    const absent = new Set([...both(last.lacks, listing.lacks)].filter(longEnough));
    return { ...alone, provedFromMs: last.startedMs, absent };
  }
  const startsMs = [...before.startsMs, listing.startedMs];
  const lacked = both(before.lacked, listing.lacks);
  if (startsMs.length < IN_A_ROW)
    return { ...before, last: listing, startsMs, lacked, lackingSinceMs, absent: NOTHING };
  return { ...alone, provedFromMs: startsMs[0]!, absent: new Set([...lacked].filter(longEnough)) };
}

function lackingSince(before: Proof | null, { lacks, lacksAnew, startedMs }: Listing): ReadonlyMap<string, number> {
  const since = (id: string) => (lacksAnew.has(id) ? undefined : before?.lackingSinceMs.get(id)) ?? startedMs;
  return new Map([...lacks].map((id) => [id, since(id)]));
}

function both(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((id) => other.has(id)));
}
