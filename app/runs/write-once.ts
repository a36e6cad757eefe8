import { isAppError } from "../domain/errors.ts";
import { atMostAgoMs, momentOf, type Moment } from "../domain/moment.ts";
import type { ConnectionState, PendingWrite } from "../domain/records.ts";
import { isShut } from "../domain/shop-access.ts";
import type { ConnectionRef, ShippingAccount, Tables, Transaction, WriteOptions, Written } from "../ports.ts";
import { noteSuccess } from "./breaker-state.ts";
import { unclearElsewhere } from "./held-template.ts";
import { beginQuarantine } from "./quarantine.ts";
import { clockMoved, commit, commitFenced, superseded } from "./run.ts";
import type { Run } from "./run.ts";
import { callOptions, isNotFound, refusedAlone } from "./shipping-account.ts";

/**
 * A write happens once (docs/design/README.md, rule 4). The pending write, with the exact payload, commits with the slot in hand and before
 * the bytes go, in the transaction that checks the lease and the connection's version. It goes with the outcome; without one it stays, and
 * nobody writes there until its quarantine is over.
 */

export interface Write<T> {
  ref: ConnectionRef;
  pendingWrite: Pick<PendingWrite, "operation" | "templateId" | "locationId" | "marker" | "payload" | "alike">;
  /** Whether what the plan was made from still holds; else it is `superseded`. */
  stillHolds: (tables: Tables) => Promise<boolean>;
  send: (account: ShippingAccount, options: WriteOptions) => Promise<Written<T>>;
}

/** A definite end, and the pending write that is to be deleted in the transaction that records it; null where none was announced. */
export type OnceWritten<T> =
  | (Exclude<Written<T>, { kind: "not_found" }> & { pendingWriteId: string })
  | (Extract<Written<T>, { kind: "not_found" }> & { pendingWriteId: string | null });

const SENDABLE: readonly ConnectionState[] = ["active"];

/**
 * A machine that slept between the announcement and the bytes would send when the quarantine is long under way. The transport sends nothing
 * after that time either, and calls it a timeout of the service's; where the announcement itself took so long, the service had no part in it.
 */
const SEND_WITHIN_MS = 5_000;

/**
 * What is asked before a write is written down takes this long at most. A process may be stopped in between: the shop's turn keeps its rows as
 * they are, but not the template at the service, and what people said there meanwhile would not be seen.
 */
const ASKED_WITHIN_MS = 15_000;

/**
 * A write that is sent in time and ends in time ends sooner than this after its announcement, and its quarantine covers all that may
 * follow. A later end says that the process was stopped meanwhile, perhaps with the bytes still in the kernel.
 */
const ENDS_WITHIN_MS = 20_000;

export async function writeOnce<T>(run: Run, write: Write<T>): Promise<OnceWritten<T>> {
  const { services } = run;
  const { templateId } = write.pendingWrite;
  // It is read before it is written.
  if (templateId !== null) run.lookedAt.push({ connectionId: write.ref.id, templateId });
  let pendingWriteId: string | null = null;
  let announced = momentOf(services.clock);
  const beforeSend = async () => {
    // A repeated attempt follows a definite refusal, so its pending write takes the place of the one before.
    const previous = pendingWriteId;
    const id = services.random.id();
    announced = await commit(run, (tables) => commitPendingWrite(run, tables, { ...write, id, previous }));
    pendingWriteId = id;
    if (atMostAgoMs(services.clock, announced) > SEND_WITHIN_MS)
      throw superseded("the announcement of a write took too long");
    return announced;
  };
  try {
    const options = { ...callOptions(run), beforeSend };
    const written = await write.send(services.shipping.account(write.ref), options);
    if (!isNotFound(written)) await noteSuccess(run, write.ref);
    // A write that begins with a reading may end with it.
    if (written.kind === "not_found") return { ...written, pendingWriteId };
    if (pendingWriteId === null) throw superseded("a write ended without having been announced");
    return { ...written, pendingWriteId };
  } catch (error) {
    if (pendingWriteId !== null && isAppError(error) && error.effect === "none") await forget(run, pendingWriteId);
    else if (pendingWriteId !== null && atMostAgoMs(services.clock, announced) > ENDS_WITHIN_MS)
      await putOff(run, pendingWriteId);
    const problem = pendingWriteId === null ? null : await refusedAlone(run, write.ref, error);
    if (problem) return { kind: "refused", problem, pendingWriteId: pendingWriteId! };
    throw error;
  }
}

/** Resolves to when it was written down. */
async function commitPendingWrite(
  run: Run,
  tables: Transaction,
  {
    ref,
    id,
    previous,
    pendingWrite,
    stillHolds,
  }: Omit<Write<unknown>, "send"> & { id: string; previous: string | null },
): Promise<Moment> {
  const { services, item } = run;
  const asked = momentOf(services.clock);
  const connection = await tables.connections.find({ id: ref.id, version: ref.version, current: true });
  if (!connection || !SENDABLE.includes(connection.state)) throw superseded("the connection has changed");
  const shop = await tables.shops.find({ shop: item.shop });
  if (!shop || isShut(shop)) throw superseded("Shopify does not let us into the shop");
  if (!(await stillHolds(tables))) throw superseded("what was planned from has changed");
  if (previous !== null) await tables.pendingWrites.delete({ id: previous });
  if (pendingWrite.templateId !== null) {
    await holdTemplate(run, tables, { ref, templateId: pendingWrite.templateId });
  }
  // What was asked until here holds, for this transaction has the shop's turn, unless the machine slept.
  const moved = clockMoved(run);
  if (moved !== null) throw superseded(moved);
  if (atMostAgoMs(services.clock, asked) > ASKED_WITHIN_MS)
    throw superseded("the announcement of a write took too long");
  const announced = momentOf(services.clock);
  const committedAtMs = services.clock.nowMs();
  beginQuarantine(services, { id });
  const committed = await tables.pendingWrites.insert({
    ...pendingWrite,
    id,
    shop: item.shop,
    connectionId: ref.id,
    workItemId: item.id,
    committedAtMs,
    quarantineUntilMs: committedAtMs + services.settings.quarantineMs,
    notedAtMs: null,
  });
  if (!committed) throw superseded("an earlier write of this work item is unclear");
  return announced;
}

/**
 * Nobody else writes to the template, over this connection or another one of the environment, and it stands for no other shop's location: who
 * links it from now on sees this write.
 */
async function holdTemplate(
  run: Run,
  tables: Transaction,
  { ref, templateId }: { ref: ConnectionRef; templateId: string },
): Promise<void> {
  const { shop } = run.item;
  const { environment, id: connectionId } = ref;
  await tables.takeTemplate({ environment, templateId });
  const others = await tables.pendingWrites.count({ shop, connectionId, templateId });
  const there = { environment, connectionId, templateId, butOf: run.item.id };
  const elsewhere = await unclearElsewhere(run.services, tables, there);
  if (others + elsewhere.length > 0) throw superseded("another write to this template is unclear");
  if ((await tables.links.count({ environment, templateId, shop: { not: shop } })) > 0)
    throw superseded("the template stands for another shop's location by now");
}

/** The request was never sent or definitely refused. Should this fail, the quarantine does the same later. */
async function forget(run: Run, pendingWriteId: string): Promise<void> {
  try {
    await commitFenced(run, (tables) => tables.pendingWrites.delete({ id: pendingWriteId }));
  } catch (error) {
    run.services.log.warn({ workItemId: run.item.id, error }, "a pending write outlives a write that was not sent");
  }
}

/** The quarantine counts from now. It only ever grows, so that no lease need be held. */
async function putOff({ services, item }: Run, pendingWriteId: string): Promise<void> {
  const { store, clock, settings, log } = services;
  const quarantineUntilMs = clock.nowMs() + settings.quarantineMs;
  try {
    await store.pendingWrites.update(
      { id: pendingWriteId, shop: item.shop, quarantineUntilMs: { lt: quarantineUntilMs } },
      { quarantineUntilMs },
    );
    log.warn({ workItemId: item.id, pendingWriteId }, "a write ended late; its quarantine begins anew");
  } catch (error) {
    log.error(
      { workItemId: item.id, pendingWriteId, error },
      "the quarantine of a write that ended late could not be put off",
    );
  }
}
