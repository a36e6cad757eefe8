import { NEVER_MS } from "../domain/backoff.ts";
import type { WorkItem } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "./request-work.ts";

/**
 * How often webhooks are acted on. Shopify signs a body and not its delivery id, so whoever captured one can send it as often as he likes. A
 * work item of the kind `told` stands for all webhooks about one thing: the first is acted on at once, and those that follow too soon are put
 * off together, until the pause after it is over. So none is lost, and however many come, there is one act in a pause.
 */

/** What finds the work items of webhooks that were put off and not acted on since. */
export const PUT_OFF = { kind: "told", pendingSinceMs: { not: null } } as const;

interface About {
  shop: string;
  /** What the webhooks are about. */
  about: string;
}

/** So long after the last act a word about the same is one of many. */
const HELD_WITHIN_MS = 60_000;

interface News extends About {
  /** The work item `told` about the same, as it stands in this transaction; null where there is none. */
  last: WorkItem | null;
  /** Acts are at least so long apart. */
  apartMs: number;
  isHeld: boolean;
}

/**
 * Whether a webhook is to be acted on now. If not, a run of kind `told` follows when `apartMs` have passed since the last act. Where
 * something holds up what it asks for (`isHeld`), it comes at once and waits for that; but the first word in a long time is acted on
 * whatever holds it. Inside the transaction that stores the receipt.
 */
export async function mayActNow(
  services: Pick<Services, "clock" | "random">,
  tables: Pick<Tables, "workItems">,
  { shop, about, last, apartMs, isHeld }: News,
): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  const work = { shop, kind: "told", key: about } as const;
  if (last && isPending(last)) {
    await tables.workItems.update({ id: last.id, shop }, { updatedAtMs: nowMs });
    return false;
  }
  const sinceMs = last ? nowMs - last.updatedAtMs : Infinity;
  // A last act that lies ahead was dated by another clock.
  if (last && sinceMs >= 0 && sinceMs < apartMs) {
    await requestWork(services, tables, { ...work, known: last, dueAtMs: last.updatedAtMs + apartMs });
    return false;
  }
  if (last && isHeld && sinceMs >= 0 && sinceMs < HELD_WITHIN_MS) {
    await requestWork(services, tables, { ...work, known: last });
    return false;
  }
  const { workItemId: id, generation } = await requestWork(services, tables, { ...work, known: last });
  const over = { observedGeneration: generation, pendingSinceMs: null, dueAtMs: NEVER_MS };
  await tables.workItems.update({ id, shop, generation }, over);
  return true;
}

/** Whether a webhook about this came at that time or later and was put off, and has not been acted on since. */
export async function wasPutOffSince(
  tables: Pick<Tables, "workItems">,
  { shop, about, sinceMs }: About & { sinceMs: number },
): Promise<boolean> {
  const last = await tables.workItems.find({ shop, kind: "told", key: about });
  return last !== null && isPending(last) && last.updatedAtMs >= sinceMs;
}

function isPending({ generation, observedGeneration }: WorkItem): boolean {
  return generation > observedGeneration;
}
