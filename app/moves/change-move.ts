import { composeOrigin } from "../domain/address/compose.ts";
import type { FieldProblem, PlaceValues } from "../domain/address/address.ts";
import { addressText } from "../domain/address/text.ts";
import { PLACE_FIELDS, placeIn, SHOPIFYS_HOLDS } from "../domain/address/place.ts";
import { tooLong } from "../domain/address/validate.ts";
import { closedReason } from "../domain/closed-reason.ts";
import { markerOfMove } from "../domain/marker.ts";
import { NO_CONTACT } from "../domain/new-records.ts";
import type { ConnectionRecord, MoveRecord } from "../domain/records.ts";
import { hourMs } from "../domain/zone-days.ts";
import type { Services, Tables, Transaction } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { runNow } from "../runs/run-now.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";
import { giveUpNow } from "./give-up-default.ts";
import { isOfAccount, isServed, noteMove, readPlaceFacts } from "./move-facts.ts";
import type { MoveFacts } from "./move-facts.ts";

/** What the owner says of a location that is to move: each is one transaction with the request of its run, which follows at once. */

export type MoveRefusal =
  | NotFound
  /** The location has no template over the account in use, or is no origin. */
  | { kind: "no_origin" }
  /** The test account is in use. The place would stand for Shopify's in production's account, too, where no carrier has verified it. */
  | { kind: "test_account" }
  | { kind: "invalid"; problems: FieldProblem[] }
  /** No account is in use, or another one than the move's: what is pressed now would pass over whenever it is in use again. */
  | { kind: "on_hold" }
  /** No hour, or one that is past. */
  | { kind: "hour" }
  /** It is not as its owner saw it: it was planned, called off or done meanwhile, or its template is not there. */
  | { kind: "changed_since" };

export interface PlannedMove {
  place: PlaceValues;
  /** As `MoveRecord.hour`. */
  hour: string | null;
  keepFormer: boolean;
}

interface Own {
  shop: string;
  locationId: string;
}

/** Plans the day: the coming template is made and verified while the former one serves. */
export function planMove(services: Services, { plan, ...own }: Own & { plan: PlannedMove }) {
  return changeMove(services, own, async (tables, facts) => {
    const { connection, location, details, move: before } = facts;
    if (before?.state === "coming") return { kind: "changed_since" };
    const { shop, locationId } = own;
    const linked = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
    if (!connection || !linked || closedReason(connection) !== null || !isServed(facts)) return { kind: "no_origin" };
    if (connection.environment === "test") return { kind: "test_account" };
    const place = placeIn(plan.place);
    const problems = problemsOf(facts, place);
    if (problems.length > 0) return { kind: "invalid", problems };
    if (isNoHour(services, facts, plan.hour)) return { kind: "hour" };
    // What its last move left to do for the account's default goes with the row.
    if (before?.formerDefault && before.connectionId === connection.id)
      await giveUpNow(services, tables, { move: before, connection, id: services.random.id() });
    if (before) await keepOn(tables, { details, move: before });
    await tables.moves.delete(own);
    const move: MoveRecord = {
      ...own,
      connectionId: connection.id,
      marker: markerOfMove(shop, locationId, services.random.id()),
      place,
      hour: plan.hour,
      keepFormer: plan.keepFormer,
      state: "coming",
      templateId: null,
      sent: null,
      answered: null,
      refusal: null,
      press: null,
      asks: null,
      formerTemplateId: null,
      formerDefault: false,
      passedAtMs: null,
    };
    await tables.moves.insert(move);
    const { address, postal } = location;
    const now = composeOrigin({ address, postal, defaults: facts.shop.contact, details }).fields;
    const fields = PLACE_FIELDS.map((field) => ({ field, from: now[field].value, to: place[field] }));
    const changed = fields.filter(({ from, to }) => from !== to);
    await note(services, tables, { facts, move, kind: "move_planned", fields: changed });
    return null;
  });
}

/** Another hour, or none, and what becomes of the former template. What its owner was asked is answered by that. */
export function changeDay(
  services: Services,
  { day, ...own }: Own & { day: Pick<PlannedMove, "hour" | "keepFormer"> },
) {
  return changeMove(services, own, async (tables, facts) => {
    if (facts.move?.state !== "coming") return { kind: "changed_since" };
    if (isNoHour(services, facts, day.hour)) return { kind: "hour" };
    await tables.moves.update(own, { ...day, asks: null, press: null });
    await note(services, tables, { facts, move: facts.move, kind: "move_changed" });
    return null;
  });
}

/** It was looked at, and nothing has passed: its owner is asked. */
export interface Asked {
  kind: "asked";
  asks: NonNullable<MoveRecord["asks"]>;
}

/** "Pass over now". `anyway`: although a carrier refuses the coming address, as its owner was told. */
export async function pressMove(
  services: Services,
  { anyway, ...own }: Own & { anyway: boolean },
): Promise<Changed | MoveRefusal | Asked> {
  const pressed = await changeMove(services, own, async (tables, { move, connection }) => {
    if (move?.state !== "coming" || move.templateId === null) return { kind: "changed_since" };
    const isOpen = connection !== null && closedReason(connection) === null;
    if (!isOpen || !(await isOfAccount(tables, move, connection))) return { kind: "on_hold" };
    await tables.moves.update(own, { press: anyway ? "anyway" : "now" });
    return null;
  });
  const now = pressed.kind === "done" ? await services.store.moves.find(own) : null;
  // What was asked before stands until the run has looked, which takes the press away.
  const asks = now?.press === null ? now.asks : null;
  return asks === null ? pressed : { kind: "asked", asks };
}

/** Makes the coming template, where that was refused or it is not there. */
export function makeComingAgain(services: Services, own: Own) {
  return changeMove(services, own, async (tables, { move }) => {
    if (move?.state !== "coming" || move.templateId !== null) return { kind: "changed_since" };
    await tables.moves.update(own, { asks: null, refusal: null });
    return null;
  });
}

/** Calls it off. What was made stays in the account as nobody's; a former place that was held over Shopify's address holds no more. */
export function cancelMove(services: Services, own: Own) {
  return changeMove(services, own, async (tables, facts) => {
    const { move, details } = facts;
    if (move?.state !== "coming") return { kind: "changed_since" };
    await tables.moves.delete(own);
    await note(services, tables, { facts, move, kind: "move_cancelled" });
    if (details?.held?.why !== "early") return null;
    await tables.details.update(own, { ...SHOPIFYS_HOLDS, revision: details.revision + 1 });
    await requestWork(services, tables, { shop: own.shop, kind: "location", key: own.locationId });
    return null;
  });
}

/** The former address that the last move kept goes on to be the location's own when the row of that move makes room. */
async function keepOn(
  tables: Pick<Tables, "details">,
  { details, move }: Pick<Facts, "details"> & { move: MoveRecord },
): Promise<void> {
  const { shop, locationId, connectionId, keepFormer, formerTemplateId: templateId } = move;
  if (!keepFormer || templateId === null) return;
  const formerTemplates = [...(details?.formerTemplates ?? []), { connectionId, templateId }];
  await tables.details.update({ shop, locationId }, { formerTemplates });
}

type Facts = Pick<MoveFacts, "shop" | "location" | "details"> & {
  move: MoveRecord | null;
  connection: ConnectionRecord | null;
};

async function changeMove(
  services: Services,
  own: Own,
  change: (tables: Transaction, facts: Facts) => Promise<MoveRefusal | null>,
): Promise<Changed | MoveRefusal> {
  const { shop, locationId } = own;
  const requested = await services.store.transaction(shop, async (tables) => {
    const known = await readPlaceFacts(tables, own);
    if (!known) return { kind: "not_found" } as const;
    const connection = await tables.connections.find({ shop, current: true });
    const refusal = await change(tables, { ...known, connection, move: await tables.moves.find(own) });
    return refusal ?? (await requestWork(services, tables, { shop, kind: "move", key: locationId }));
  });
  if ("kind" in requested) return requested;
  services.wake();
  return { kind: "done", progress: await runNow(services, { shop, ...requested }) };
}

/** What is wrong with the coming address; what its contact lacks is asked for on the origin's page. */
function problemsOf({ shop, location, details }: Facts, place: PlaceValues): FieldProblem[] {
  const { address, postal } = location;
  const held = { values: place, against: addressText(address), why: "moved" } as const;
  const said = { contact: details?.contact ?? NO_CONTACT, split: null, held };
  const { problems } = composeOrigin({ address, postal, defaults: shop.contact, details: said });
  const isOfPlace = ({ field }: FieldProblem) => (PLACE_FIELDS as readonly string[]).includes(field);
  return [...tooLong(place), ...problems.filter(({ severity }) => severity === "error")].filter(isOfPlace);
}

function isNoHour({ clock }: Services, { shop }: Facts, hour: string | null): boolean {
  return hour !== null && (hourMs(hour, shop.timeZone) ?? 0) <= clock.nowMs();
}

function note(
  services: Services,
  tables: Transaction,
  {
    facts,
    move,
    ...entry
  }: { facts: Facts; move: MoveRecord } & Pick<Parameters<typeof noteMove>[2], "kind" | "fields">,
): Promise<void> {
  return noteMove(services, tables, { facts: { ...facts, move }, actor: "owner", outcome: "done", ...entry });
}
