import { MOVE_LOOKS_EVERY_MS } from "../domain/backoff.ts";
import { environmentOf } from "../domain/closed-reason.ts";
import { isStillToCome } from "../domain/dates.ts";
import { skipReason } from "../domain/plan/skip-reason.ts";
import type {
  ActivityRecord,
  ConnectionRecord,
  DetailsRecord,
  LocationRecord,
  MoveRecord,
  ShopRecord,
} from "../domain/records.ts";
import { hourMs } from "../domain/zone-days.ts";
import type { Services, Tables } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { ActivityEntry } from "../activity/record-activity.ts";
import { dateIsAgreed } from "../runs/date-is-sure.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";

/** What the parts of a move's run share. */

export interface MoveFacts {
  move: MoveRecord;
  shop: ShopRecord;
  location: LocationRecord;
  details: DetailsRecord | null;
  connection: ConnectionRecord;
}

/** The facts without those of a connection; null where the shop or the location is not known. */
export async function readPlaceFacts(
  tables: Pick<Tables, "shops" | "locations" | "details">,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Pick<MoveFacts, "shop" | "location" | "details"> | null> {
  const record = await tables.shops.find({ shop });
  const location = await tables.locations.find({ shop, locationId });
  if (!record || !location) return null;
  return { shop: record, location, details: await tables.details.find({ shop, locationId }) };
}

/** Whether anything is to be sent for the location: it is an origin, its owner has confirmed it, and nobody has paused it. */
export function isServed({ shop, location, details }: Pick<MoveFacts, "shop" | "location" | "details">): boolean {
  if (details?.confirmedAtMs == null) return false;
  return skipReason({ location, details, policies: shop.policies }) === null;
}

/**
 * Whether the move is of the account that a connection opens: another client id that knows its template opens the same one, and a move whose
 * template is not made yet goes along with the environment.
 */
export async function isOfAccount(
  { connections, templates }: Pick<Tables, "connections" | "templates">,
  { shop, connectionId, templateId }: MoveRecord,
  { id, environment }: ConnectionRecord,
): Promise<boolean> {
  if (connectionId === id) return true;
  const from = await connections.find({ id: connectionId });
  if (from && from.environment !== environment) return false;
  return templateId === null || (await templates.count({ shop, connectionId: id, templateId })) > 0;
}

/** How soon an hour that has come is looked at again: no server has confirmed the date, or the template was made just now. */
export const SOON_MS = 60_000;

/**
 * Whether it is time, of a move that is due: its owner has pressed, or its hour has come. By the hour nothing is done that a server's clock
 * says is still to come, nor at a date that no server confirms, which the answer of a reading may do.
 */
export function timeOf(
  { services }: Run,
  { move: { press, hour }, shop }: Pick<MoveFacts, "move" | "shop">,
): "come" | "to_come" | "unsure" {
  if (press !== null) return "come";
  const atMs = hour === null ? null : hourMs(hour, shop.timeZone);
  if (atMs !== null && isStillToCome(atMs, services.dates.opinions())) return "to_come";
  return dateIsAgreed(services) ? "come" : "unsure";
}

/** How a run ends that has nothing to do until the hour. It looks each hour: what a wrong clock has written holds for no longer. */
export function untilHour({ services }: Run, { move, shop }: Pick<MoveFacts, "move" | "shop">): RunEnd {
  const nowMs = services.clock.nowMs();
  const atMs = move.hour === null ? null : hourMs(move.hour, shop.timeZone);
  const comesMs = atMs === null ? Infinity : Math.max(atMs, nowMs + SOON_MS);
  return { kind: "done", againAtMs: Math.min(comesMs, nowMs + MOVE_LOOKS_EVERY_MS) };
}

/** The move as it is now, if it is still this one and has not passed. */
export function stillComing(tables: Pick<Tables, "moves">, { shop, locationId, marker }: MoveRecord) {
  return tables.moves.find({ shop, locationId, marker, state: "coming" });
}

/** The hour has come and nothing passes: its owner is asked, and presses once it may. `hour`: of one that is asked before. */
export async function askOwner(
  run: Run,
  facts: MoveFacts,
  asks: NonNullable<MoveRecord["asks"]>,
  { hour = null }: { hour?: string | null | undefined } = {},
): Promise<RunEnd> {
  const { shop, locationId, marker } = facts.move;
  await commit(run, async (tables) => {
    const asked = { asks, hour, press: null };
    if ((await tables.moves.update({ shop, locationId, marker, state: "coming" }, asked)) === 0) return;
    await noteMove(run.services, tables, { facts, kind: `move_asks_${asks}`, outcome: "waiting", actor: "app" });
  });
  return untilHour(run, { ...facts, move: { ...facts.move, hour } });
}

/** A line of activity on the move, in its own account's activity, whichever account is in use. */
export async function noteMove(
  services: Services,
  tables: Pick<Tables, "activity" | "connections">,
  {
    facts: { move, location },
    ...entry
  }: {
    facts: Pick<MoveFacts, "move" | "location">;
    kind: string;
    outcome: ActivityRecord["outcome"];
    actor: ActivityRecord["actor"];
  } & Partial<ActivityEntry>,
): Promise<void> {
  await recordActivity(services, tables, {
    shop: move.shop,
    locationId: move.locationId,
    locationName: location.name,
    templateId: move.templateId,
    environment: environmentOf(await tables.connections.find({ id: move.connectionId })),
    ...entry,
  });
}
