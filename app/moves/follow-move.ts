import { closedReason } from "../domain/closed-reason.ts";
import { isMoveDue } from "../domain/plan/moving.ts";
import type { ConnectionRecord, MoveRecord, PendingWrite, TemplateDraft } from "../domain/records.ts";
import { passGate, refOf } from "../runs/circuit-breaker.ts";
import { quarantineHolds } from "../runs/quarantine.ts";
import { requestWork } from "../runs/request-work.ts";
import { blocked, commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { readableAccount } from "../runs/shipping-account.ts";
import { giveUpDefault } from "./give-up-default.ts";
import { makeComing } from "./make-coming.ts";
import { askOwner, isOfAccount, isServed, readPlaceFacts, timeOf, untilHour } from "./move-facts.ts";
import type { MoveFacts } from "./move-facts.ts";
import { askAboutRefused, lookForComing, passOver } from "./pass-over.ts";
import { resolveComing } from "./resolve-coming.ts";

/** Makes the template of a coming address, waits for the day, and lets the link pass over. Nothing but that one create is ever sent for it. */
export async function followMove(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { store } = services;
  const own = { shop: item.shop, locationId: item.key };
  const pendingWrite = await store.pendingWrites.find({ workItemId: item.id });
  const quarantined = await quarantineHolds(run);
  if (quarantined) return quarantined;
  const move = await store.moves.find(own);
  const connection = await store.connections.find({ shop: item.shop, current: true });
  const isOwn = pendingWrite !== null && pendingWrite.marker === move?.marker;
  if (pendingWrite && !(isOwn && pendingWrite.connectionId === connection?.id)) await letGo(run, pendingWrite);
  const known = move && (await readPlaceFacts(store, own));
  if (!move || !known) return { kind: "done" };
  if (move.state === "passed") return giveUpDefault(run, move);
  if (!connection) return blocked(run, "not_connected");
  const ours = await followAccount(run, move, connection);
  if (!ours && move.press !== null) await takeBackPress(run, move);
  // Over another account it is on hold, and goes on when this one is in use again.
  if (!ours) return untilHour(run, { ...known, move: { ...move, hour: null } });
  const closed = closedReason(connection);
  if (closed) return blocked(run, closed);
  return go(run, { facts: { ...known, move: ours, connection }, pendingWrite: isOwn ? pendingWrite : null });
}

async function go(
  run: Run,
  { facts, pendingWrite }: { facts: MoveFacts; pendingWrite: PendingWrite | null },
): Promise<RunEnd> {
  const { services } = run;
  const { move, connection, shop } = facts;
  const ref = refOf(connection);
  const open = async () => (await passGate(run, connection)) ?? { account: readableAccount(run, ref) };
  let { templateId } = move;
  if (pendingWrite && connection.id === pendingWrite.connectionId) {
    const gate = await open();
    if (!("account" in gate)) return gate;
    const resolved = await resolveComing(run, { facts, pendingWrite, account: gate.account });
    if ("end" in resolved) return resolved.end;
    ({ templateId } = resolved);
  }
  const isDue = isMoveDue(move, { nowMs: services.clock.nowMs(), timeZone: shop.timeZone });
  const time = isDue ? timeOf(run, { move, shop }) : "to_come";
  const isTime = time === "come";
  if (!isServed(facts)) return isTime ? askOwner(run, facts, "no_origin") : untilHour(run, facts);
  if (templateId === null) return isTime ? askOwner(run, facts, "missing") : makeComing(run, facts, open);
  const place = { shop: ref.shop, connectionId: ref.id, templateId };
  const row = time === "to_come" ? await services.store.templates.find(place) : null;
  if (row) return askAboutRefused(run, facts, row);
  const gate = await open();
  if (!("account" in gate)) return gate;
  const coming = { facts, templateId, account: gate.account };
  return time === "to_come" ? lookForComing(run, coming) : passOver(run, coming);
}

/** The move over the connection in use; null over another account. */
async function followAccount(run: Run, move: MoveRecord, to: ConnectionRecord): Promise<MoveRecord | null> {
  if (move.connectionId === to.id) return move;
  if (!(await isOfAccount(run.services.store, move, to))) return null;
  const { shop, locationId, marker } = move;
  await commit(run, (tables) => tables.moves.update({ shop, locationId, marker }, { connectionId: to.id }));
  return { ...move, connectionId: to.id };
}

/** A press was for that moment: when the move's own account is in use again, it would pass over by hours too early. */
async function takeBackPress(run: Run, { shop, locationId, marker }: MoveRecord): Promise<void> {
  await commit(run, (tables) => tables.moves.update({ shop, locationId, marker }, { press: null }));
}

/**
 * An unclear create of a move that was called off, or that went to an account which is not in use: what it made, if anything, is nobody's, and
 * the next reading of that book shows it before anything is made there, and a move that goes on remembers that it was sent.
 */
async function letGo(run: Run, { id, shop, connectionId, marker, payload }: PendingWrite): Promise<void> {
  await commit(run, async (tables) => {
    await tables.pendingWrites.delete({ id });
    if (marker !== null)
      await tables.moves.update({ shop, marker, templateId: null }, { sent: payload as TemplateDraft | null });
    await tables.connections.update({ id: connectionId }, { bookReadAtMs: null, bookConfirmedAtMs: null });
    await requestWork(run.services, tables, { shop, kind: "reconcile", key: "shop" });
  });
  run.services.wake();
}
