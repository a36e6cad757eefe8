import { isAppError } from "../domain/errors.ts";
import type { FlowEventRecord } from "../domain/records.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { requestWork } from "../runs/request-work.ts";
import { commit, reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { GIVE, isOfProduction, LOOK } from "./note-events.ts";
import { isUsedBy } from "./note-origins.ts";
import { lookAtOrigins } from "./look-at-origins.ts";

/** How many one run gives, so that others of the shop have their turn. */
const AT_ONCE = 50;
/** What is older helps nobody: a mail of yesterday's refusal. */
const LATEST_MS = 24 * 3_600_000;
/** After a fault, where others went through before it. */
const REST_MS = 2_000;

/** What runs of the kind `flow` do, by the work item's key: a look at all origins, the shop's line of events, or one event set apart. */
export async function tellFlow(run: Run): Promise<RunEnd> {
  const { key } = run.item;
  if (key === LOOK) return look(run);
  return key === GIVE ? giveLine(run) : giveApart(run);
}

/**
 * Over the test account nothing is looked at, so a first look that ends there is still to come: its work item goes, and whoever takes up
 * production's account asks for it anew (`request-look.ts`). Otherwise all that was so already would be news then.
 */
async function look(run: Run): Promise<RunEnd> {
  const end = await lookAtOrigins(run);
  const { id, generation, shop, observedGeneration } = run.item;
  if (end.kind !== "done" || observedGeneration > 0) return end;
  return {
    ...end,
    alongside: async (tables) => {
      if (!(await isOfProduction(tables, shop))) await tables.workItems.delete({ id, generation });
    },
  };
}

/**
 * Gives Flow the events of the outbox in their order, one after another. One that Flow has taken is forgotten. One that Flow never takes, or
 * that is too old, goes to Activity, and the next is given. One that fails again and again while another gets through is set apart: it is
 * tried by a work item of its own, which rests by itself, and the others go on. Where nothing gets through, the line rests as a whole.
 */
async function giveLine(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { clock, store } = services;
  if (!(await isUsedBy(store, item.shop))) return { kind: "done" };
  const apart = new Set((await store.workItems.list({ shop: item.shop, kind: "flow" })).map(({ key }) => key));
  for (let given = 0; ; given += 1) {
    const event = await endOfLine(run, { apart, order: "asc" });
    if (!event) return { kind: "done" };
    if (given === AT_ONCE || run.signal.aborted) return { kind: "done", againAtMs: clock.nowMs() };
    const fault = await faultOfGiving(run, event);
    if (fault === null) continue;
    // A fault that passes changes no order.
    if (given > 0) return { kind: "done", againAtMs: clock.nowMs() + REST_MS };
    if (item.failures === 0 || !(await isAnotherTaken(run, { apart, event }))) throw fault;
    // Asked once more, for Shopify may have come back in between.
    if ((await faultOfGiving(run, event)) === null) continue;
    await setApart(run, event, fault);
    apart.add(event.id);
  }
}

/** One event that others got past. Its work item goes with it. */
async function giveApart(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { id, generation, shop, key } = item;
  const event = await services.store.flowEvents.find({ shop, id: key });
  if (event && (await isUsedBy(services.store, shop))) await give(run, event);
  return { kind: "done", alongside: async (tables) => void (await tables.workItems.delete({ id, generation })) };
}

/** The first event of the line, or the last. */
async function endOfLine(
  { services, item: { shop } }: Run,
  { apart, order }: { apart: ReadonlySet<string>; order: "asc" | "desc" },
): Promise<FlowEventRecord | undefined> {
  const page = { orderBy: { number: order }, limit: apart.size + 1 } as const;
  return (await services.store.flowEvents.list({ shop }, page)).find(({ id }) => !apart.has(id));
}

/**
 * Whether Shopify takes another event while it fails at the first: the newest, so that what is new gets through whatever waits before it, or
 * one by chance, so that each has its turn.
 */
async function isAnotherTaken(
  run: Run,
  { apart, event }: { apart: ReadonlySet<string>; event: FlowEventRecord },
): Promise<boolean> {
  const { store, random } = run.services;
  const newest = await endOfLine(run, { apart, order: "desc" });
  if (!newest || newest.id === event.id) return false;
  if ((await faultOfGiving(run, newest)) === null) return true;
  const between = { shop: event.shop, number: { gte: event.number + 1, lt: newest.number } };
  const offset = Math.floor(random.next() * (await store.flowEvents.count(between)));
  const [chosen] = await store.flowEvents.list(between, { orderBy: { number: "asc" }, limit: 1, offset });
  if (!chosen || apart.has(chosen.id)) return false;
  return (await faultOfGiving(run, chosen)) === null;
}

/** The event gets a work item that has failed as often and as long as the line has with it. */
async function setApart(run: Run, { shop, id: key }: FlowEventRecord, fault: unknown): Promise<void> {
  const { services, item } = run;
  const nowMs = services.clock.nowMs();
  await commit(run, async (tables) => {
    await requestWork(services, tables, { shop, kind: "flow", key, dueAtMs: nowMs + REST_MS });
    await tables.workItems.update(
      { shop, kind: "flow", key },
      {
        failures: item.failures,
        failingSinceMs: item.failingSinceMs ?? nowMs,
        reason: reasonOf(run, isAppError(fault) ? fault.kind : "internal"),
      },
    );
  });
}

/** Why Shopify did not take it, where that may be the event's own; null once it is out of the outbox. Rejects with whatever else it met. */
async function faultOfGiving(run: Run, event: FlowEventRecord): Promise<Error | null> {
  try {
    await give(run, event);
    return null;
  } catch (error) {
    if (isAppError(error) && error.kind === "shopify_unavailable") return error;
    throw error;
  }
}

async function give(run: Run, event: FlowEventRecord): Promise<void> {
  const { services } = run;
  const isLate = services.clock.nowMs() - event.atMs > LATEST_MS;
  const answer = isLate ? null : await services.shopify.tellFlow(event.shop, event);
  await commit(run, async (tables) => {
    const { shop, id, locationId, fields, trigger } = event;
    if ((await tables.flowEvents.delete({ shop, id })) === 0 || answer?.kind === "taken") return;
    await recordActivity(services, tables, {
      shop,
      actor: "shopify",
      kind: isLate ? "flow_late" : "flow_refused",
      outcome: "failed",
      // What it tells is production's, whichever account is in use by now.
      environment: "production",
      locationId,
      locationName: fields.Location || null,
      carrier: fields.Carrier || null,
      detail: [trigger, answer?.message].filter(Boolean).join(": "),
    });
  });
}
