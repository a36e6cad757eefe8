import { isAppError } from "../domain/errors.ts";
import type { FlowEventRecord } from "../domain/records.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { LOOK } from "./note-events.ts";
import { isUsedBy } from "./note-origins.ts";
import { lookAtOrigins } from "./look-at-origins.ts";

/** How many one run gives, so that others of the shop have their turn. */
const AT_ONCE = 50;
/** What is older helps nobody: a mail of yesterday's refusal. */
const LATEST_MS = 24 * 3_600_000;
/** After a fault, where others went through before it. */
const REST_MS = 2_000;

/**
 * Gives Flow the events of the outbox in their order, one after another. One that Flow has taken is forgotten. One that Flow never takes, or
 * that is too old, goes to Activity, and the next is given.
 */
export async function tellFlow(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { clock, store } = services;
  if (item.key === LOOK) return lookAtOrigins(run);
  if (!(await isUsedBy(store, item.shop))) return { kind: "done" };
  for (let given = 0; ; given += 1) {
    const [event] = await store.flowEvents.list({ shop: item.shop }, { orderBy: { number: "asc" }, limit: 1 });
    if (!event) return { kind: "done" };
    if (given === AT_ONCE || run.signal.aborted) return { kind: "done", againAtMs: clock.nowMs() };
    try {
      await give(run, event);
    } catch (error) {
      if (given === 0 || !isAppError(error) || error.kind !== "shopify_unavailable") throw error;
      return { kind: "done", againAtMs: clock.nowMs() + REST_MS };
    }
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
      locationId,
      locationName: fields.Location || null,
      carrier: fields.Carrier || null,
      detail: [trigger, answer?.message].filter(Boolean).join(": "),
    });
  });
}
