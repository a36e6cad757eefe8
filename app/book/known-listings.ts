import { withListing } from "../domain/listings.ts";
import type { Listing, Proof } from "../domain/listings.ts";
import type { ConnectionRef, Services } from "../ports.ts";

/**
 * What this process has listed of each address book, and what that proves. Kept in memory: two listings prove something by the time
 * between them, and only one process's monotonic clock measures that whatever somebody does to the machine's. What was proved is kept in
 * the store.
 *
 * Not in the cache of readings/: a page must not push out what proves something. And no `LRUCache` of its own: one with room for a
 * thousand takes 0.3 ms to make and a map 0.0001 ms, and the simulation makes a process for every story.
 */

type Clocked = Pick<Services, "clock">;
type Ref = Pick<ConnectionRef, "id" | "version">;

interface Known {
  /** Another version of the connection may open another account. */
  version: number;
  proof: Proof;
  marks: Marks;
}

/**
 * Since when the rows said, after the last listing that counts, that no list holds their templates. A row that says another time has been
 * shown since, perhaps to another process.
 */
type Marks = ReadonlyMap<string, number>;

const NO_MARKS: Marks = new Map();

const known = new WeakMap<Services["clock"], Map<string, Known>>();

/** Books; the one listed longest ago makes room. */
const KEPT = 1_000;

function books({ clock }: Clocked): Map<string, Known> {
  const of = known.get(clock) ?? new Map<string, Known>();
  known.set(clock, of);
  return of;
}

function knownOf(services: Clocked, { id, version }: Ref): Known | null {
  const book = books(services).get(id);
  return book?.version === version ? book : null;
}

export function proofOf(services: Clocked, ref: Ref): Proof | null {
  return knownOf(services, ref)?.proof ?? null;
}

export function marksOf(services: Clocked, ref: Ref): Marks {
  return knownOf(services, ref)?.marks ?? NO_MARKS;
}

/** What is proved once this listing counts; to be kept when what it says is in the store. */
export function proofWith(services: Clocked & Pick<Services, "settings">, ref: Ref, listing: Listing): Proof {
  const { listingsApartMs: apartMs, absenceBelievedAfterMs: absentAfterMs } = services.settings;
  return withListing(proofOf(services, ref), listing, { apartMs, absentAfterMs });
}

/** `marks`: after the listing that was added; they are kept only if that one counts. */
export function keepProof(services: Clocked, ref: Ref, { proof, marks }: { proof: Proof; marks: Marks }): void {
  const { id, version } = ref;
  const counts = proofOf(services, ref)?.last !== proof.last;
  const kept = counts ? marks : marksOf(services, ref);
  const of = books(services);
  of.delete(id);
  of.set(id, { version, proof, marks: kept });
  if (of.size > KEPT) of.delete(of.keys().next().value!);
}

/** Time of day since which the book's listings hide nothing that was there; null while nothing is proved. */
export function provedFromMs({ clock }: Clocked, proof: Proof | null): number | null {
  // A monotonic clock counts parts of milliseconds; what is stored is whole, and earlier proves less.
  return proof?.provedFromMs == null ? null : Math.floor(clock.nowMs() - (clock.monotonicMs() - proof.provedFromMs));
}

/** Time of day before which another listing would prove nothing. */
export function nextListingMs({ clock, settings }: Clocked & Pick<Services, "settings">, proof: Proof | null): number {
  const sinceMs = proof ? clock.monotonicMs() - proof.last.endedMs : Infinity;
  return clock.nowMs() + Math.max(0, Math.ceil(settings.listingsApartMs - sinceMs));
}
