import { AppError } from "../domain/errors.ts";
import type { Clock, ConnectionRef, Services, Tables } from "../ports.ts";
import { stillUnseenMs } from "./alone-readings.ts";
import { commit } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";

/**
 * A template is believed gone when its own GET answered 404 twice, `absenceBelievedAfterMs` apart or more, and was answered by nothing
 * that shows it in between, and the list says so, too (`confirm-absence.ts`). Until then nobody writes there, and what is known of it stays.
 * Two sightings are enough for a location that Shopify does not show. Both sightings are one process's, by its monotonic clock: no restart and
 * no wall clock that is set can make a belief come early, only late. The row tells every process whether something has shown the template or
 * the location since.
 */

interface Place {
  shop: string;
  connectionId: string;
  templateId: string;
}

export interface Absence {
  /** It was not found twice, far enough apart. */
  believed: boolean;
  /** The first sighting, by the monotonic clock. */
  firstMs: number;
  /** When to ask again, where it is not believed. */
  untilMs: number;
}

interface Sighting {
  firstMs: number;
  /** The row's `absentSinceMs` then, null where there is no row: a row with another one was shown since, perhaps to another process. */
  since: number | null;
}

const firstSightings = new WeakMap<Pick<Clock, "monotonicMs">, Map<string, Sighting>>();

/** Of so many templates and locations a process remembers that it did not find them; the ones seen longest ago are seen anew. */
const REMEMBERED = 10_000;

function sightingsOf(clock: Pick<Clock, "monotonicMs">): Map<string, Sighting> {
  const known = firstSightings.get(clock) ?? new Map<string, Sighting>();
  firstSightings.set(clock, known);
  return known;
}

const keyOf = ({ connectionId, templateId }: Omit<Place, "shop">) => `${connectionId} ${templateId}`;

/**
 * Its own GET answered 404. Says so in its row, and tells whether it is to be believed. `askedAtMs`: when it was asked, or earlier, by the
 * monotonic clock. A process may stop for long between an answer and its transaction, and the answer is as old as it is.
 */
export async function noteAbsent(
  services: Pick<Services, "clock" | "settings">,
  tables: Pick<Tables, "templates">,
  { askedAtMs, ...place }: Place & { askedAtMs: number },
): Promise<Absence> {
  const { clock } = services;
  const afterMs = services.settings.absenceBelievedAfterMs;
  const unseenMs = stillUnseenMs(clock, await tables.templates.find(place));
  if (unseenMs > 0) {
    // We made it a moment ago, and a GET may be behind that: no sighting, but a doubt, so that it is asked for again.
    forgetAbsence(clock, place);
    await tables.templates.update({ ...place, disputedSinceMs: null }, { disputedSinceMs: clock.nowMs() });
    return { believed: false, firstMs: clock.monotonicMs(), untilMs: clock.nowMs() + Math.ceil(unseenMs) };
  }
  await tables.templates.update({ ...place, absentSinceMs: null }, { absentSinceMs: clock.nowMs() });
  const since = (await tables.templates.find(place))?.absentSinceMs ?? null;
  return sight(clock, { key: keyOf(place), since, afterMs, askedAtMs });
}

interface LocationPlace {
  shop: string;
  locationId: string;
}

const keyOfLocation = ({ shop, locationId }: LocationPlace) => `${shop} ${locationId}`;

/** The same of a location that we know, where Shopify answered its own query and did not show it. */
export async function noteAbsentLocation(
  services: Pick<Services, "clock" | "settings">,
  tables: Pick<Tables, "locations">,
  { askedAtMs, ...place }: LocationPlace & { askedAtMs: number },
): Promise<Absence> {
  await tables.locations.update({ ...place, absentSinceMs: null }, { absentSinceMs: services.clock.nowMs() });
  const since = (await tables.locations.find(place))?.absentSinceMs ?? null;
  const afterMs = services.settings.locationAbsenceBelievedAfterMs;
  return sight(services.clock, { key: keyOfLocation(place), since, afterMs, askedAtMs });
}

/** Shopify showed it: an answer that does not, after this, is a first one. */
export function forgetAbsentLocation(clock: Pick<Clock, "monotonicMs">, place: LocationPlace): void {
  sightingsOf(clock).delete(keyOfLocation(place));
}

/** This process did not find what it asked for then; `since` is what its row says after that. */
function sight(
  clock: Pick<Clock, "monotonicMs" | "nowMs">,
  { key, since, afterMs, askedAtMs }: { key: string; since: number | null; afterMs: number; askedAtMs: number },
): Absence {
  const sightings = sightingsOf(clock);
  const nowMs = clock.monotonicMs();
  const known = sightings.get(key);
  // A row that is gone since was shown to nobody: whoever believed the absence deleted it.
  const firstMs = known && (since === null || known.since === since) ? known.firstMs : nowMs;
  sightings.set(key, { firstMs, since });
  if (sightings.size > REMEMBERED) sightings.delete(sightings.keys().next().value!);
  const believedFromMs = firstMs + afterMs;
  const leftMs = believedFromMs - nowMs;
  return { believed: askedAtMs >= believedFromMs, firstMs, untilMs: clock.nowMs() + Math.max(0, Math.ceil(leftMs)) };
}

/** Something showed it: a 404 after this is a first one. */
export function forgetAbsence(clock: Pick<Clock, "monotonicMs">, place: Omit<Place, "shop">): void {
  sightingsOf(clock).delete(keyOf(place));
}

export interface LostWrite {
  ref: ConnectionRef;
  templateId: string;
  operation: "update" | "delete" | "verify_by_carriers";
  requestId: string;
  serviceMessage: string | null;
  /** It goes. */
  pendingWriteId?: string | null;
}

/**
 * A write, or what is asked of carriers, met a 404 though the template's GET had just shown it. The next run asks its GET, which alone
 * tells whether it is gone. Where that shows it each time, something else is wrong with the write, for ever perhaps: so it is counted.
 *
 * @throws AppError `unexpected_status`, always.
 */
export async function failLostWrite(run: Run, lost: LostWrite): Promise<never> {
  const { ref, templateId, operation, requestId, serviceMessage, pendingWriteId = null } = lost;
  await commit(run, async (tables) => {
    if (pendingWriteId !== null) await tables.pendingWrites.delete({ id: pendingWriteId });
    const place = { shop: ref.shop, connectionId: ref.id, templateId };
    await tables.templates.update({ ...place, absentSinceMs: null }, { absentSinceMs: run.services.clock.nowMs() });
  });
  const message = `${operation}: the service does not find what its GET shows`;
  throw new AppError({
    kind: "unexpected_status",
    status: 404,
    message,
    requestId,
    serviceMessage,
    effect: "none",
  });
}
