import type { ConnectionRecord, ShopRecord } from "../domain/records.ts";
import {
  afterAnswer,
  confirms,
  keptLongEnough,
  nextLookMs,
  OPEN,
  REFUSALS_APART_MS,
  shutReason,
} from "../domain/shop-access.ts";
import type { AccessColumns, ShopStanding } from "../domain/shop-access.ts";
import { atMostAgoMs, momentOf } from "../domain/moment.ts";
import { knownForMs } from "../runs/own-count.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { dateIsSure } from "../runs/date-is-sure.ts";
import { chargeHeldBack, openShop } from "./open-shop.ts";

/** An owner who comes back needs longer than this to sign in; a refusal that is older, for the machine may have slept, is asked for again. */
const REFUSAL_HOLDS_MS = 15_000;

export interface Asked {
  answer: ShopStanding;
  /** The row, with the answer noted. */
  shop: ShopRecord;
  /** Shopify refused the token twice, a minute apart, and no session came in between. */
  confirmed: boolean;
  /** An `app/uninstalled` is 30 days old, and nothing has contradicted it. */
  keptLongEnough: boolean;
}

/**
 * Asks Shopify whether it lets us into the shop, and notes the answer; opens the shop when it does. Null when the shop is unknown.
 *
 * @throws AppError `superseded` when a session, a webhook or the owner came meanwhile: the answer may be older than that.
 */
export async function askStanding(run: Run): Promise<Asked | null> {
  const { services, item } = run;
  const { shop } = item;
  const before = await services.store.shops.find({ shop });
  if (!before) return null;
  const connections = await services.store.connections.list({ shop });
  const asked = momentOf(services.clock);
  const answer = await services.shopify.standing(shop);
  const noted = await commit(run, async (tables) => {
    const now = await tables.shops.find({ shop });
    if (!now || !sameAccess(before, now)) throw superseded("somebody came while Shopify was asked");
    const nowMs = services.clock.nowMs();
    if (answer.kind === "refused") {
      if (atMostAgoMs(services.clock, asked) > REFUSAL_HOLDS_MS) throw superseded("Shopify's refusal is too old");
      const same = sameVersions(connections, await tables.connections.list({ shop }));
      if (!same) throw superseded("the owner connected while Shopify was asked");
    }
    const kept = keptLongEnough(before, nowMs);
    const after = { ...afterAnswer(before, answer, nowMs), forgetDueAtMs: kept.forgetDueAtMs };
    await tables.shops.update({ shop }, after);
    const hasWaited = knownRefusalMs(run, after) >= REFUSALS_APART_MS;
    if (answer.kind === "installed" && shutReason(before) !== null) await openShop(services, tables, { shop });
    // The look after a refusal may have met another fault, so that the shop was never shut.
    else if (answer.kind === "installed") await chargeHeldBack(services, tables, { shop });
    return {
      answer,
      shop: { ...now, ...after },
      confirmed: hasWaited && confirms(before, answer, nowMs),
      keptLongEnough: kept.over && dateIsSure(services),
    };
  });
  if (answer.kind === "installed") services.wake();
  return noted;
}

/**
 * For how long this process has known of the first refusal. By its date alone that may be an hour old: the process that noted it may
 * have taken the date for another one.
 */
function knownRefusalMs({ services, item }: Run, { refusedAtMs }: AccessColumns): number {
  return refusedAtMs === null ? 0 : knownForMs(services.clock, `refusal of ${item.shop}`, refusedAtMs);
}

/** How long until Shopify is asked again; a refusal that is not confirmed yet waits for the one that may confirm it. */
export function askAgainMs(
  run: Run,
  { shop, answer, confirmed }: Pick<Asked, "shop" | "answer" | "confirmed">,
): number {
  return answer.kind === "refused" && !confirmed ? REFUSALS_APART_MS : lookAgainMs(run, shop);
}

/** How long until the run's work item asks Shopify about the shop again. */
export function lookAgainMs({ services: { clock }, item }: Run, shop: AccessColumns): number {
  const mark = shop.uninstallToldAtMs ?? shop.accessSinceMs ?? 0;
  const knownMs = knownForMs(clock, `${item.kind} of ${item.shop}`, mark);
  return nextLookMs(shop, { nowMs: clock.nowMs(), knownMs });
}

/** Whether nothing was said of the shop's access since. */
export function sameAccess(before: AccessColumns, now: AccessColumns): boolean {
  return (Object.keys(OPEN) as (keyof AccessColumns)[]).every((column) => before[column] === now[column]);
}

function sameVersions(before: ConnectionRecord[], now: ConnectionRecord[]): boolean {
  const known = new Map(before.map(({ id, version }) => [id, version]));
  return now.every(({ id, version }) => known.get(id) === version);
}
