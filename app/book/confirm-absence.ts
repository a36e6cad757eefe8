import { AppError, isAppError } from "../domain/errors.ts";
import type { ConnectionRef, Services } from "../ports.ts";
import { commit, reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { readableAccount } from "../runs/shipping-account.ts";
import { refuseUnreadable } from "./await-book.ts";
import { noteAbsent } from "./believe-absence.ts";
import { nextListingMs, proofOf } from "./known-listings.ts";
import { readBook } from "./read-book.ts";
import { mayStillBe } from "./same-rows.ts";

/**
 * What a template's own GET says is not enough to believe that it is gone. A router that has lost the service behind it answers 404 to
 * everything, and a service may lose one template's own page for good. In both cases the template is there, and one more would be made.
 */

/** Other templates that may be a row without an id, so many of which are read to tell. */
const MOST_ASKED = 8;

/** While the book cannot be read, the template's own GET may find it again. Asked so often it costs some twelve calls an hour. */
const ABSENT_WAIT_MS = 5 * 60_000;

interface Asked {
  ref: ConnectionRef;
  templateId: string;
  requestId: string | null;
}

/**
 * After a GET's 404 in a run, which asked when it began or later: null when the absence is believed; else how the run ends. It is believed
 * after two sightings and an unbroken row of listings that lack the template: its last one began so long after the first sighting that it
 * does not lag behind it, and its first one so long before that, that the service does not hide the template for a moment only. Where a
 * listing is missing, this run reads the book; while the book cannot be read, or another listing would prove nothing yet, it waits.
 *
 * @throws AppError what the list met; `unexpected_status` where the list shows the template, or a row without an id that may be it.
 */
export async function awaitSecondSighting(run: Run, asked: Asked): Promise<RunEnd | null> {
  const { ref, templateId, requestId } = asked;
  const { services, began } = run;
  const place = { shop: ref.shop, connectionId: ref.id, templateId };
  const askedAtMs = began.monotonicMs;
  const { believed, firstMs, untilMs } = await commit(run, (tables) =>
    noteAbsent(services, tables, { ...place, askedAtMs }),
  );
  const waits = (until: number): RunEnd => {
    return { kind: "waits", untilMs: until, reason: reasonOf(run, "absence_unconfirmed", { requestId }) };
  };
  if (!believed) return waits(untilMs);
  const isKnown = (await services.store.templates.count(place)) > 0;
  let told = toldByListings(services, asked, { firstMs, isKnown });
  if (told === "too_few" && nextListingMs(services, proofOf(services, ref)) <= services.clock.nowMs()) {
    const unreadable = await refuseUnreadable(run, ABSENT_WAIT_MS);
    if (unreadable) return unreadable;
    // A listing that began too soon after the last one is not kept as a proof, but what it shows is there.
    told = (await isListedNow(run, asked)) ? "shown" : toldByListings(services, asked, { firstMs, isKnown });
  }
  if (told === "too_few") return waits(nextLookMs(services, asked));
  if (told === "shown") throw notFound("the service does not find a template that its list shows", asked);
  if (await mayBeListedNameless(run, asked))
    throw notFound("the service does not find a template that may be a row of its list without an id", asked);
  return null;
}

function toldByListings(
  services: Services,
  { ref, templateId }: Asked,
  { firstMs, isKnown }: { firstMs: number; isKnown: boolean },
): "too_few" | "shown" | "lacked" {
  const { listingsApartMs, absenceBelievedAfterMs } = services.settings;
  const proof = proofOf(services, ref);
  if (proof === null || proof.last.startedMs < firstMs + listingsApartMs) return "too_few";
  if (proof.last.ids.has(templateId)) return "shown";
  // Whoever forgot what was known of it has believed its absence before.
  if (!isKnown) return "lacked";
  const sinceMs = proof.lackingSinceMs.get(templateId) ?? Infinity;
  return proof.last.startedMs - sinceMs >= absenceBelievedAfterMs ? "lacked" : "too_few";
}

/** When the next listing may tell, by the time of day. */
function nextLookMs(services: Services, { ref, templateId }: Asked): number {
  const { clock, settings } = services;
  const proof = proofOf(services, ref);
  const sinceMs = proof?.lackingSinceMs.get(templateId) ?? -Infinity;
  const leftMs = Math.ceil(sinceMs + settings.absenceBelievedAfterMs - clock.monotonicMs());
  return Math.max(nextListingMs(services, proof), clock.nowMs() + leftMs);
}

async function isListedNow(run: Run, { ref, templateId }: Asked): Promise<boolean> {
  const { templates, unreadable } = await readBook(run, ref, readableAccount(run, ref), { missed: templateId });
  run.services.wake();
  return [...templates, ...unreadable].some(({ id }) => id === templateId);
}

/**
 * Whether a row without an id may be this template. It is not where no such row is left for it, once each other template that a row may be, and
 * that is there by its own GET, has one.
 */
async function mayBeListedNameless(run: Run, { ref, templateId }: Asked): Promise<boolean> {
  const { store, random } = run.services;
  const key = { shop: ref.shop, connectionId: ref.id };
  if ((await store.templates.count({ ...key, templateId })) === 0) return false;
  const { bookUnreadable: unreadable = [] } = (await store.connections.find({ id: ref.id })) ?? {};
  const there: string[] = [];
  const isPossible = () => mayStillBe(templateId, { unreadable, there });
  if (!isPossible()) return false;
  const others = new Set(unreadable.flatMap(({ candidates }) => candidates ?? []));
  others.delete(templateId);
  const which = unreadable.some(({ id, candidates }) => id === null && !candidates)
    ? { unlistedSinceMs: { not: null }, templateId: { not: templateId } }
    : { templateId: { in: [...others] } };
  const known = await store.templates.list({ ...key, ...which }, { limit: 500 });
  // Of many, each look asks for other ones.
  const inTurn = known
    .map((row) => ({ row, at: Number(row.absentSinceMs !== null) + random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MOST_ASKED);
  for (const { row } of inTurn) {
    // Whoever finds nothing comes again, and rests by what that cost.
    run.listCalls += 1;
    if (!(await isThere(run, { ref, templateId: row.templateId }))) continue;
    there.push(row.templateId);
    if (!isPossible()) return false;
  }
  return true;
}

/** An answer that shows it in a way that cannot be read shows it all the same. What is read is not kept. */
async function isThere(run: Run, { ref, templateId }: Omit<Asked, "requestId">): Promise<boolean> {
  try {
    return (await readableAccount(run, ref).get(templateId)).kind === "found";
  } catch (error) {
    if (!isAppError(error) || !error.traits.atService) throw error;
    return error.kind === "unreadable";
  }
}

function notFound(message: string, { requestId }: Asked): AppError {
  return new AppError({
    kind: "unexpected_status",
    status: 404,
    message: `get: ${message}`,
    requestId,
    effect: "none",
  });
}
