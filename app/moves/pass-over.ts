import { canonicalAddress } from "../domain/address/compare.ts";
import { heldFrom } from "../domain/address/held.ts";
import { PLACE_FIELDS, placeIn } from "../domain/address/place.ts";
import type { AddressAttributes } from "../domain/address/address.ts";
import { isMoveDue } from "../domain/plan/moving.ts";
import { newLink } from "../domain/new-records.ts";
import type { LinkRecord, MoveRecord, TemplateRecord } from "../domain/records.ts";
import type { Transaction } from "../ports.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { keepReading } from "../book/keep-template.ts";
import { forgetMissing } from "../book/mark-unlisted.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { unclearThere } from "../runs/held-template.ts";
import { requestWork } from "../runs/request-work.ts";
import { deletedLately } from "../runs/look-again.ts";
import { commit, reasonOf, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { askOwner, isServed, noteMove, readPlaceFacts, SOON_MS, stillComing, timeOf, untilHour } from "./move-facts.ts";
import type { MoveFacts } from "./move-facts.ts";

interface Coming {
  facts: MoveFacts;
  templateId: string;
  account: ReadableAccount;
}

/**
 * It is time. Where the coming template is there, no carrier refuses it and it stands for nobody, the link passes over to it; else its owner is
 * asked. Nothing is sent for that: what differs goes with the location's next run.
 */
export async function passOver(run: Run, { facts, templateId, account }: Coming): Promise<RunEnd> {
  const { services } = run;
  const ref = refOf(facts.connection);
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  const known = await services.store.templates.find(key);
  const found = await account.get(templateId);
  // The answer has told a date. Nothing is done by an hour that no server confirms.
  if (timeOf(run, facts) !== "come") return untilHour(run, facts);
  if (found.kind === "not_found") return askAboutMissing(run, { facts, templateId, ...found });
  // A GET may be behind our deletion of it.
  const shown = await deletedLately(services, services.store, { shop: ref.shop, templateIds: [templateId] });
  const untilMs = shown.get(templateId);
  if (untilMs !== undefined) return { kind: "waits", untilMs, reason: reasonOf(run, "absence_unconfirmed") };
  const passed = await commit(run, async (tables) => {
    const row = await keepReading(services, tables, { ref, template: found.value, known });
    if (!row) throw superseded("the template was read or written meanwhile");
    return exchange(run, tables, { facts, row });
  });
  if (passed === "not_now") return untilHour(run, facts);
  if (passed !== "passed") return askOwner(run, { ...facts, move: { ...facts.move, templateId } }, passed);
  services.wake();
  return { kind: "done", againAtMs: services.clock.nowMs() + SOON_MS };
}

/**
 * Before the hour: that a carrier refuses the coming address is asked about at once, while there is time to correct it. The hour stays, and
 * the question goes once nobody refuses it.
 */
export async function askAboutRefused(run: Run, facts: MoveFacts, row: TemplateRecord): Promise<RunEnd> {
  const { shop, locationId, marker, asks, hour } = facts.move;
  const refused = await isRefused(run.services.store, { facts, row });
  if (refused && asks === null) return askOwner(run, facts, "refused", { hour });
  if (!refused && asks === "refused")
    await commit(run, (tables) => tables.moves.update({ shop, locationId, marker, asks }, { asks: null }));
  return untilHour(run, facts);
}

/**
 * The listings lack the coming template, so that nobody knows it any more: its own GET tells. Its owner is asked now and not on the day, when
 * a new one would have no time to be verified. The hour stays.
 */
export async function lookForComing(run: Run, { facts, templateId, account }: Coming): Promise<RunEnd> {
  const ref = refOf(facts.connection);
  const found = await account.get(templateId);
  if (found.kind === "not_found") return askAboutMissing(run, { facts, templateId, ...found, hour: facts.move.hour });
  await commit(run, (tables) => keepReading(run.services, tables, { ref, template: found.value, known: null }));
  return untilHour(run, facts);
}

async function askAboutMissing(
  run: Run,
  { facts, templateId, requestId, hour }: Omit<Coming, "account"> & { requestId: string | null; hour?: string | null },
): Promise<RunEnd> {
  const ref = refOf(facts.connection);
  const end = await awaitSecondSighting(run, { ref, templateId, requestId });
  if (end) return end;
  const { shop, locationId, marker } = facts.move;
  await commit(run, async (tables) => {
    await forgetMissing(tables, { shop: ref.shop, connectionId: ref.id, templateId });
    const unmade = { templateId: null, sent: null, answered: null };
    await tables.moves.update({ shop, locationId, marker, state: "coming" }, unmade);
  });
  return askOwner(run, facts, "missing", { hour });
}

/** In one transaction: the link, what the location says, and that it was done. Done once, whoever else does it at the same time. */
async function exchange(
  run: Run,
  tables: Transaction,
  { facts, row }: { facts: MoveFacts; row: TemplateRecord },
): Promise<"passed" | "not_now" | NonNullable<MoveRecord["asks"]>> {
  const { services } = run;
  const { connection } = facts;
  const { templateId, template } = row;
  const nowMs = services.clock.nowMs();
  const now = await stillComing(tables, facts.move);
  const { shop, locationId } = facts.move;
  const { id: connectionId, version, environment } = connection;
  if ((await tables.connections.count({ id: connectionId, version, current: true })) === 0)
    throw superseded("the connection has changed");
  const known = await readPlaceFacts(tables, { shop, locationId });
  if (!now || now.templateId !== templateId || !known) return "not_now";
  if (!isMoveDue(now, { nowMs, timeZone: known.shop.timeZone })) return "not_now";
  const { location, details } = known;
  const former = await tables.links.find({ shop, connectionId, locationId });
  if (!former || !details || !isServed(known)) return "no_origin";
  const bare = newLink({ id: services.random.id(), connection, locationId, templateId, how: "created" });
  const unclear = await unclearThere(services, tables, bare);
  if ((await tables.links.count({ environment, templateId })) > 0) return "taken";
  if (now.press !== "anyway" && (await isRefused(tables, { facts: { ...facts, ...known }, row }))) return "refused";
  await tables.links.delete({ id: former.id });
  // What somebody else has changed in it since it was made is shown then, as in any other template.
  await tables.links.insert({ ...bare, sent: now.sent, answered: now.answered ?? template, unclear });
  const place = placeIn(template.address);
  const after = heldFrom(place, { address: location.address, held: details.held });
  const marker = now.marker;
  await tables.details.update({ shop, locationId }, { ...after, marker, revision: details.revision + 1 });
  const move = passedMove(now, { former, nowMs });
  await tables.moves.update({ shop, locationId, marker }, move);
  await noteMove(services, tables, {
    facts: { move, location },
    kind: "moved",
    outcome: "done",
    actor: now.press === null ? "app" : "owner",
    fields: changesOf(former, template.address),
  });
  await requestWork(services, tables, { shop, kind: "location", key: locationId });
  return "passed";
}

/** What a carrier said of the address as it is. A verdict on an earlier one says nothing. */
async function isRefused(
  tables: Pick<Transaction, "verifications">,
  { facts, row }: { facts: MoveFacts; row: TemplateRecord },
): Promise<boolean> {
  const { shop, connectionId, templateId } = row;
  const { carriers } = facts.shop.policies;
  const of = { shop, connectionId, templateId, outcome: "refused", carrier: { in: carriers } } as const;
  const key = canonicalAddress(row.template.address);
  return (await tables.verifications.list(of)).some(({ addressKey }) => addressKey === key);
}

/** Only what we made the account's default is to give that up. */
function passedMove(move: MoveRecord, { former, nowMs }: { former: LinkRecord; nowMs: number }): MoveRecord {
  return {
    ...move,
    state: "passed",
    hour: null,
    press: null,
    asks: null,
    formerTemplateId: former.templateId,
    formerDefault: former.sent?.default === true,
    passedAtMs: nowMs,
  };
}

function changesOf({ answered }: LinkRecord, to: AddressAttributes) {
  const from = answered?.address;
  return PLACE_FIELDS.map((field) => ({ field, from: from?.[field] ?? null, to: to[field] })).filter(
    (change) => change.from !== change.to,
  );
}
