import { keepsFailing, longestFailing } from "../domain/failing.ts";
import { fitOf } from "../domain/plan/create-fit.ts";
import type { LinkRecord, PendingWrite, WorkItemReason } from "../domain/records.ts";
import type { ConnectionRef, Services, Tables, Transaction, Where } from "../ports.ts";
import { isKnownMade, sentWithin } from "./known-made.ts";
import { quarantineEndsMs } from "./quarantine.ts";
import { commit, reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/**
 * How soon to look again where another work item's unclear write should have been cleared up already: as long after as it has been
 * late, within these bounds. The other may rest for a quarter of an hour, and somebody may wait at a form.
 */
const LOOK_AGAIN_MS = 5_000;
const LOOK_AGAIN_LONGEST_MS = 60_000;

/** How long after its quarantine another shop's unclear write is waited for: that shop may have left, and never clear it up. */
const ANOTHER_SHOPS_MS = 60_000;

/**
 * Nobody writes to a template while another work item's write to it is unclear; null when none is. Nor to one that may be what an
 * unclear create made: its words may be all it will be known by. One that was known before the create was announced is not, nor one of
 * which it is known who made it. A location's create takes nothing that stands for a location, so nobody waits for that create there.
 * Shops may share an account, and one may have two client ids of it, so what was written over another connection is waited for as well.
 * `clearsUp`: the run itself clears up what is left alone (`sync/clear-up-updates.ts`).
 */
export async function heldTemplate(
  run: Run,
  held: Pick<ConnectionRef, "environment"> & { connectionId: string; templateId: string; clearsUp?: boolean },
): Promise<RunEnd | null> {
  const { environment, connectionId, templateId, clearsUp = false } = held;
  const { services, item } = run;
  const { store } = services;
  const others = { shop: item.shop, connectionId, workItemId: { not: item.id } };
  await dropExpired(run, { ...others, templateId });
  const pendingWrites: PendingWrite[] = [];
  for (const pendingWrite of await store.pendingWrites.list({ ...others, templateId }))
    if (!clearsUp || !(await isLeftAlone(services, store, pendingWrite))) pendingWrites.push(pendingWrite);
  const there = { environment, connectionId, templateId, butOf: item.id };
  pendingWrites.push(...(await unclearElsewhere(services, store, there)));
  const own = await store.pendingWrites.list({ ...others, templateId: null });
  const made = [...own, ...(await formsOfOtherShops(run, environment))];
  const known = made.length > 0 ? await store.templates.find({ shop: item.shop, connectionId, templateId }) : null;
  const alike = made.filter(
    ({ payload, alike }) => known && payload && !alike.includes(templateId) && fitOf(known.template, payload) > 0,
  );
  if (alike.length > 0 && !(await isKnownMade(store, { environment, templateId }))) {
    const isLinked = (await store.links.count({ environment, templateId })) > 0;
    pendingWrites.push(...alike.filter(({ locationId }) => !isLinked || locationId === null));
  }
  return pendingWrites.length === 0 ? null : waitsFor(run, { connectionId, pendingWrites });
}

async function waitsFor(
  run: Run,
  { connectionId, pendingWrites }: { connectionId: string; pendingWrites: PendingWrite[] },
): Promise<RunEnd> {
  const { services } = run;
  const nowMs = services.clock.nowMs();
  const endsMs = Math.max(...pendingWrites.map((pendingWrite) => quarantineEndsMs(services, pendingWrite)));
  const isElsewhere = pendingWrites.every((each) => each.connectionId !== connectionId);
  const longestMs = isElsewhere ? endsMs + ANOTHER_SHOPS_MS - nowMs : LOOK_AGAIN_LONGEST_MS;
  const restMs = Math.min(longestMs, LOOK_AGAIN_LONGEST_MS, Math.max(LOOK_AGAIN_MS, nowMs - endsMs));
  return { kind: "waits", untilMs: Math.max(endsMs, nowMs + restMs), reason: await heldBy(run, pendingWrites) };
}

async function formsOfOtherShops(
  { services, item }: Run,
  environment: ConnectionRef["environment"],
): Promise<PendingWrite[]> {
  const { store } = services;
  const forms = await store.pendingWrites.list({ shop: { not: item.shop }, operation: "create", locationId: null });
  return (await sentWithin(store, { environment, sent: forms })).filter((form) => isWaitedFor(services, form));
}

/**
 * Unclear writes to the template that went over another connection of the environment, another shop's or another client id's. They are all
 * there in a transaction that has taken the template, and after one that has linked it.
 */
export async function unclearElsewhere(
  services: Pick<Services, "clock" | "settings">,
  tables: Pick<Tables, "connections" | "pendingWrites">,
  held: Pick<ConnectionRef, "environment"> & { connectionId: string; templateId: string; butOf?: string },
): Promise<PendingWrite[]> {
  const { environment, connectionId, templateId, butOf } = held;
  const there = await tables.pendingWrites.list({ templateId });
  const elsewhere = there.filter((each) => each.connectionId !== connectionId && each.workItemId !== butOf);
  const sent = await sentWithin(tables, { environment, sent: elsewhere });
  return sent.filter((pendingWrite) => isWaitedFor(services, pendingWrite));
}

function isWaitedFor(services: Pick<Services, "clock" | "settings">, elsewhere: PendingWrite): boolean {
  return quarantineEndsMs(services, elsewhere) + ANOTHER_SHOPS_MS > services.clock.nowMs();
}

/**
 * What a link is to remember, in the transaction that makes it, where a write that was announced elsewhere may still change the template: it is
 * read before anything is decided. None of its words are the link's own.
 */
export async function unclearThere(
  services: Pick<Services, "clock" | "settings">,
  tables: Transaction,
  link: Pick<LinkRecord, "environment" | "connectionId" | "templateId">,
): Promise<LinkRecord["unclear"]> {
  await tables.takeTemplate(link);
  const elsewhere = await unclearElsewhere(services, tables, link);
  return elsewhere.length > 0 ? { operation: "update", payload: {} } : null;
}

/**
 * A location's unclear update that may take effect no more and that no run looks after now: any reading of the template clears it up, and
 * its own run may fail by itself for hours.
 */
export async function isLeftAlone(
  services: Pick<Services, "clock" | "settings">,
  tables: Pick<Tables, "workItems">,
  pendingWrite: PendingWrite,
): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  if (pendingWrite.locationId === null || pendingWrite.operation !== "update") return false;
  if (quarantineEndsMs(services, pendingWrite) > nowMs) return false;
  return (await tables.workItems.count({ id: pendingWrite.workItemId, leaseUntilMs: { gt: nowMs } })) === 0;
}

/** Why the run waits: for the quarantine, or, where the other work item keeps failing, for that failure, which may last for hours. */
async function heldBy(run: Run, pendingWrites: PendingWrite[]): Promise<WorkItemReason> {
  const { store, clock } = run.services;
  const ids = pendingWrites.map(({ workItemId }) => workItemId);
  const others = await store.workItems.list({ shop: run.item.shop, id: { in: ids } });
  const failing = others.filter((item) => item.reason !== null && keepsFailing(item, clock.nowMs()));
  if (failing.length === 0) return reasonOf(run, "quarantine");
  const { reason, failingSinceMs } = longestFailing(failing);
  const { message, requestId, atMs } = reason!;
  return { ...reasonOf(run, "held", { message, requestId }), atMs: failingSinceMs ?? atMs };
}

/**
 * Once its quarantine is over, nothing is to be learned of an unclear change by hand: it is read and planned anew. Whoever needs the
 * template need not wait for that, which may fail by itself for hours.
 */
async function dropExpired(run: Run, which: Where<PendingWrite>): Promise<void> {
  const { store, clock } = run.services;
  const nowMs = clock.nowMs();
  const over = { ...which, locationId: null, quarantineUntilMs: { lte: nowMs } };
  for (const pendingWrite of await store.pendingWrites.list(over))
    if (quarantineEndsMs(run.services, pendingWrite) <= nowMs)
      await commit(run, (tables) => tables.pendingWrites.delete({ ...over, id: pendingWrite.id }));
}
