import type { TemplateRecord } from "../domain/records.ts";
import type { Clock, ConnectionRef, Services, Tables } from "../ports.ts";
import { commit, reasonOf } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";

/**
 * A template is believed gone when its own GET answered 404 twice, `absenceBelievedAfterMs` apart or more, and was answered by nothing
 * that shows it in between. Until then nobody writes there, and what is known of it stays. Both sightings are one process's, by its
 * monotonic clock: no restart and no wall clock that is set can make a belief come early, only late.
 */

interface Place {
  shop: string;
  connectionId: string;
  templateId: string;
}

export interface Absence {
  believed: boolean;
  /** When to ask again, where it is not believed. */
  untilMs: number;
}

const firstSightings = new WeakMap<Pick<Clock, "monotonicMs">, Map<string, number>>();

/** Of so many templates a process remembers that it did not find them; the ones seen longest ago are seen anew. */
const REMEMBERED = 10_000;

function sightingsOf(clock: Pick<Clock, "monotonicMs">): Map<string, number> {
  const known = firstSightings.get(clock) ?? new Map<string, number>();
  firstSightings.set(clock, known);
  return known;
}

const keyOf = ({ connectionId, templateId }: Omit<Place, "shop">) => `${connectionId} ${templateId}`;

/** Whether something said that it is not there, or not so: it is read anew before anything rests on what was read of it. */
export function isDoubted({ absentSinceMs, unlistedSinceMs, disputedSinceMs }: TemplateRecord): boolean {
  return absentSinceMs !== null || unlistedSinceMs !== null || disputedSinceMs !== null;
}

/** Its own GET answered 404, or a write to it did. Says so in its row, and tells whether it is to be believed. */
export async function noteAbsent(
  { clock, settings }: Pick<Services, "clock" | "settings">,
  tables: Pick<Tables, "templates">,
  place: Place,
): Promise<Absence> {
  const sightings = sightingsOf(clock);
  const key = keyOf(place);
  const nowMs = clock.monotonicMs();
  const firstMs = sightings.get(key) ?? nowMs;
  sightings.set(key, firstMs);
  if (sightings.size > REMEMBERED) sightings.delete(sightings.keys().next().value!);
  await tables.templates.update({ ...place, absentSinceMs: null }, { absentSinceMs: clock.nowMs() });
  const leftMs = firstMs + settings.absenceBelievedAfterMs - nowMs;
  return { believed: leftMs <= 0, untilMs: clock.nowMs() + Math.max(0, Math.ceil(leftMs)) };
}

/** Something showed it: a 404 after this is a first one. */
export function forgetAbsence(clock: Pick<Clock, "monotonicMs">, place: Omit<Place, "shop">): void {
  sightingsOf(clock).delete(keyOf(place));
}

/** After a 404 in a run: null when the absence is believed; else how the run ends. `refused` is the intent of a write that met it. */
export async function awaitSecondSighting(
  run: Run,
  seen: { ref: ConnectionRef; templateId: string; requestId: string | null; refused?: string | null },
): Promise<RunEnd | null> {
  const { ref, templateId, requestId, refused = null } = seen;
  const { believed, untilMs } = await commit(run, async (tables) => {
    if (refused !== null) await tables.intents.delete({ id: refused });
    return noteAbsent(run.services, tables, { shop: ref.shop, connectionId: ref.id, templateId });
  });
  return believed ? null : { kind: "waits", untilMs, reason: reasonOf(run, "absence_unconfirmed", { requestId }) };
}
