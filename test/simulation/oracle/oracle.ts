import type { Store } from "../../../app/ports.ts";
import { connectionOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import { isLeftByCancel } from "./cancelled.ts";
import { doubledDrafts, lostDrafts } from "./drafts.ts";
import { lostOf } from "./locations.ts";
import { forgottenMoves } from "../moves/judge.ts";
import { secondsOver } from "./rate.ts";
import { isHeldUp } from "./unserved.ts";
import type { Watch } from "./watch.ts";

/** Compares, when all is over, what everybody meant with what is there. The objections go to the watch, which has followed the story. */
export async function checkEnd(stage: Stage, { store, watch }: { store: Store; watch: Watch }): Promise<void> {
  const { accounts, known, scenery } = stage;
  for (const { shop, locationIds } of scenery.shops) {
    for (const locationId of locationIds)
      for (const words of await lostOf(stage, store, { shop, locationId })) watch.object("lost", words);
    for (const words of forgottenMoves(stage, shop)) watch.object("lost", words);
    for (const words of await leftOver(stage, store, shop)) watch.object("lost", words);
    for (const words of await notTold(stage, store, shop)) watch.object("untold", words);
  }
  for (const words of await lostDrafts(stage, { store, endedAtMs: watch.draftEnds.endedAtMs }))
    watch.object("lost", words);
  for (const account of accounts.all) {
    const doubled = account.duplicates(watch.given);
    if (doubled > 0) watch.object("duplicates", `${doubled} templates beyond the first of one location`);
    for (const { templateId, field, person, ours, readAtMs, saidAtMs } of account.overwrites) {
      if (known.allowed.has(`${templateId} ${field} ${person}`)) continue;
      const figure = readAtMs !== null && saidAtMs > readAtMs ? "unseeable" : "overwritten";
      watch.object(figure, `${templateId} ${field}: ${person} became ${ours}`);
    }
  }
  for (const words of watch.flow.misled()) watch.object("falseWords", words);
  for (const words of doubledDrafts(stage, watch.given)) watch.object("duplicates", words);
  for (const words of secondsOver(watch.arrivals)) watch.object("secondsOverLimit", words);
  for (const words of watch.costs.objections(scenery.weather.endsAtMs)) watch.object("costly", words);
}

/** Work items that never came to rest, and verifications that were never requested. */
async function leftOver(stage: Stage, store: Store, shop: string): Promise<string[]> {
  const connection = connectionOf(stage, shop);
  if (connection?.state !== "active" || stage.known.away.has(shop)) return [];
  const words: string[] = [];
  for (const workItem of await store.workItems.list({ shop })) {
    const { kind, key, state, generation, observedGeneration, reason, dueAtMs } = workItem;
    if (kind === "uninstall" || (kind as string) === "redact") continue;
    if (isHeldUp(stage, workItem)) continue;
    if (isLeftByCancel(stage, workItem)) continue;
    if (state === "parked") words.push(`${kind} ${key} is parked: ${reason?.message}`);
    if (state === "active" && generation > observedGeneration)
      words.push(`${kind} ${key} is still wanted (${reason?.code}: ${reason?.message}, due at ${dueAtMs})`);
  }
  const wanted = await store.verifications.count({ shop, connectionId: connection.id, question: "wanted" });
  const isStuck = stage.scenery.weather.stuck.length > 0 || stage.malformed.size > 0;
  if (wanted > 0 && !isStuck) words.push(`${wanted} verifications of ${shop} were never asked`);
  return words;
}

/** Events that Flow was never told of, though a workflow waits for them and Shopify lets us into the shop. */
async function notTold({ known, shopify }: Stage, store: Store, shop: string): Promise<string[]> {
  if (known.away.has(shop) || shopify.isFrozen(shop)) return [];
  const left = await store.flowEvents.list({ shop });
  return left.map(({ trigger }) => `${trigger} of ${shop} still waits to be told to Flow`);
}
