/**
 * What listings of one address book prove together. Pure.
 *
 * A listing comes in pages. One that was read while the book changed may miss a template that was there all the time: something read
 * before is deleted, all behind it moves up, and the first template of the next page moves to the page that was read already. Where
 * something is added meanwhile, the counts say nothing of it. And a list may be behind the writes, by `apartMs` at most.
 *
 * Let a listing hold as many templates as its counts say, N, and miss T, which was there for `apartMs` before it began and until it
 * ended. At the latest moment that any of its pages shows, the book held N templates, T among them; the listing holds N without T; so it
 * holds one, X, that the book no longer held at that moment. X was deleted by the end of the listing, its id never comes again, and a
 * listing that begins `apartMs` later cannot show it. Turned round: **where a listing that began `apartMs` after the end of another holds
 * everything that the other held, the other missed nothing.** What was added in between does not matter: the later one may hold more.
 *
 * Where strangers delete all the time that may never be so. Then a template would have to be missed by each of `IN_A_ROW` listings, which
 * takes a deletion and an addition between the same two pages, with this template next in line, in every one of them; that is taken for
 * impossible. So a busy book holds nobody up for more than `IN_A_ROW` listings.
 *
 * A service may also lose sight of a template for a moment, in every listing of that moment. So what is to be believed absent was lacking
 * for `absentAfterMs`, as with a template's own GET.
 */

export interface Listing {
  /** Of every row, readable or not. */
  ids: ReadonlySet<string>;
  /** Rows without an id that can be read. */
  nameless: number;
  /** Templates that were known when it ended, and that it lacks. */
  lacks: ReadonlySet<string>;
  /** Of those, what something has shown since the listing before. */
  lacksAnew: ReadonlySet<string>;
  /** By the monotonic clock of the process that read it. */
  startedMs: number;
  endedMs: number;
}

export interface Proof {
  /** What the next listing is held against. */
  last: Listing;
  /** When the last listings began, as many as differ by something that vanished from one to the next. */
  startsMs: readonly number[];
  /** What every one of those lacks. */
  lacked: ReadonlySet<string>;
  /** Of what the last listing lacks: when the first began of those that lacked it one after another. */
  lackingSinceMs: ReadonlyMap<string, number>;
  /** Whatever was there `apartMs` before this time is known; null while nothing is proved. */
  provedFromMs: number | null;
  /** What is proved to be absent since the listing before, by the listing that was added last. */
  absent: ReadonlySet<string>;
}

const IN_A_ROW = 5;

const NOTHING: ReadonlySet<string> = new Set();

export interface Patience {
  apartMs: number;
  absentAfterMs: number;
}

/** What is proved once a listing was added. One that came too soon after the last adds nothing. */
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
