import { mayBeMadeFrom } from "../domain/plan.ts";
import type { IntentRecord } from "../domain/records.ts";
import type { Where } from "../ports.ts";
import { commit, reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/** How soon to look again where another target's unclear write should have been cleared up already. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Nobody writes to a template while another target's write to it is unclear; null when none is. Nor to one that may be what an
 * unclear create made: its words may be all it will be known by.
 */
export async function heldTemplate(
  run: Run,
  { connectionId, templateId }: { connectionId: string; templateId: string },
): Promise<RunEnd | null> {
  const { services, target } = run;
  const { store } = services;
  const others = { shop: target.shop, connectionId, targetId: { not: target.id } };
  await dropSettled(run, { ...others, templateId });
  const intents = await store.intents.list({ ...others, templateId });
  const made = await store.intents.list({ ...others, templateId: null });
  const known = made.length > 0 ? await store.templates.find({ shop: target.shop, connectionId, templateId }) : null;
  if (known) intents.push(...made.filter(({ payload }) => payload !== null && mayBeMadeFrom(known.template, payload)));
  if (intents.length === 0) return null;
  const soonestMs = services.clock.nowMs() + LOOK_AGAIN_MS;
  const untilMs = Math.max(soonestMs, ...intents.map(({ quarantineUntilMs }) => quarantineUntilMs));
  return { kind: "waits", untilMs, reason: reasonOf(run, "quarantine") };
}

/**
 * Once its quarantine is over, nothing is to be learned of an unclear change by hand: it is read and planned anew. Whoever needs the
 * template need not wait for that, which may fail by itself for hours.
 */
async function dropSettled(run: Run, which: Where<IntentRecord>): Promise<void> {
  const settled = { ...which, locationId: null, quarantineUntilMs: { lte: run.services.clock.nowMs() } };
  if ((await run.services.store.intents.count(settled)) > 0)
    await commit(run, (tables) => tables.intents.delete(settled));
}
