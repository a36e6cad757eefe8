import type { RowKeys, Services, Tables } from "../ports.ts";
import type { WorkItem, WorkItemKind } from "../domain/records.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { isYoung } from "../domain/moment.ts";
import { mayActNow } from "../runs/put-off.ts";
import { requestWork } from "../runs/request-work.ts";
import { reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";

/** What Shopify's webhooks lead to, and how often: `app/runs/put-off.ts` has the reason. */

const WHOLE_SHOP = ["uninstall", "standing", "redact", "scopes"] as const;
type WholeShop = (typeof WHOLE_SHOP)[number];

/** What a webhook is about: a location, or the shop. `standing`: only whether Shopify lets us in is to be asked. */
export type Told = { what: "location"; locationId: string } | { what: WholeShop };

/** One change of a location is told by two webhooks or more: one run answers them. */
export const TOGETHER_MS = 500;
/** A run that looks at one location mostly takes less, so webhooks do not overtake each of them. */
const LOCATION_APART_MS = 5_000;
/** A location that fails by itself is tried at once when Shopify tells of it, but not each time. */
const FAILING_APART_MS = 60_000;

/** The service has just refused what stands there; its owner mends it in Shopify, perhaps in several steps. */
const REFUSED_APART_MS = 30_000;
/** What is told while the location's run is under way is acted on once that has ended: so soon it is looked whether it has. */
const RUN_ENDS_WITHIN_MS = 1_000;
/** So long at most: a run may be begun again and again. */
const RUN_AWAITED_MS = 60_000;

/** A word that the shop has left shuts it until Shopify has answered, and then has its whole address book read. */
const SHOP_APART_MS: Record<WholeShop, number> = {
  uninstall: 10 * 60_000,
  standing: 60_000,
  redact: 10 * 60_000,
  scopes: 2 * 60_000,
};

interface ToldOf {
  shop: string;
  told: Told;
}

/** What is known of what a webhook told: the work item `told` about it and, of a location, the location's own. Null where there is none. */
interface Known {
  last: WorkItem | null;
  own: WorkItem | null;
}

/** Acts on what a webhook told: now, or when the pause after the last one about the same is over. Inside the receipt's transaction. */
export async function actOrPutOff(services: Services, tables: Tables, { shop, told }: ToldOf): Promise<void> {
  const about = aboutOf(told);
  const { last, own } = await knownOf(tables, { shop, told });
  const apartMs = apartOf(told, own);
  const isHeld = heldUntilMs(services, own) !== null;
  if (await mayActNow(services, tables, { shop, about, last, apartMs, isHeld }))
    return actOn(services, tables, { shop, told, own, dueAtMs: services.clock.nowMs() + TOGETHER_MS });
  // It may have left once more: should Shopify refuse its token, it is shut, and nothing is sent meanwhile.
  if (told.what === "uninstall") await actOrPutOff(services, tables, { shop, told: { what: "standing" } });
}

/** What `actOrPutOff` looks at of a location, and may write. */
export function rowsOf({ locationId }: Extract<Told, { what: "location" }>): Omit<RowKeys, "receipts"> {
  const key = locationId;
  return {
    locations: [{ locationId }],
    workItems: [
      { kind: "told", key },
      { kind: "location", key },
    ],
  };
}

/** In one reading: a store whose locations are edited in bulk tells of each. */
async function knownOf(tables: Pick<Tables, "workItems">, { shop, told }: ToldOf): Promise<Known> {
  const kinds: WorkItemKind[] = told.what === "location" ? ["told", "location"] : ["told"];
  const items = await tables.workItems.list({ shop, kind: { in: kinds }, key: aboutOf(told) });
  const of = (wanted: WorkItemKind) => items.find(({ kind }) => kind === wanted) ?? null;
  return { last: of("told"), own: of("location") };
}

/** The kind `told`: what was put off is acted on in the transaction of the run's end, so that no webhook falls in between. */
export async function followTold(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { shop, key, pendingSinceMs } = item;
  const told = toldBy(key);
  const { own } = await knownOf(services.store, { shop, told });
  const untilMs = heldUntilMs(services, own);
  if (untilMs !== null && isYoung(services.clock, pendingSinceMs ?? 0, RUN_AWAITED_MS))
    return { kind: "waits", untilMs, reason: reasonOf(run, "superseded") };
  return {
    kind: "done",
    alongside: (tables) => actOn(services, tables, { shop, told, dueAtMs: services.clock.nowMs() }),
  };
}

/**
 * Until when nothing is asked of a location: its run is under way, or the service has just refused what stands there. Asked again during
 * each of its runs, which may be slow, it would come to no end that can be told, and be tried without a rest. Null where nothing holds it.
 */
function heldUntilMs({ clock }: Pick<Services, "clock">, item: WorkItem | null): number | null {
  const nowMs = clock.nowMs();
  if (item?.leaseUntilMs != null && item.leaseUntilMs > nowMs) return nowMs + RUN_ENDS_WITHIN_MS;
  if (item?.state !== "blocked" || item.reason?.code !== "refused_by_service") return null;
  const leftMs = item.reason.atMs + REFUSED_APART_MS - nowMs;
  return leftMs > 0 && leftMs <= REFUSED_APART_MS ? nowMs + leftMs : null;
}

/** A location is named by its id alone. */
function aboutOf(told: Told): string {
  return told.what === "location" ? told.locationId : told.what;
}

function toldBy(about: string): Told {
  const what = WHOLE_SHOP.find((each) => each === about);
  return what ? { what } : { what: "location", locationId: about };
}

function apartOf(told: Told, own: WorkItem | null): number {
  if (told.what !== "location") return SHOP_APART_MS[told.what];
  return own && own.failures > 0 ? FAILING_APART_MS : LOCATION_APART_MS;
}

async function actOn(
  services: Services,
  tables: Tables,
  { shop, told, own: known, dueAtMs }: ToldOf & { own?: WorkItem | null; dueAtMs: number },
): Promise<void> {
  const nowMs = services.clock.nowMs();
  switch (told.what) {
    case "location":
      // What fails by itself is tried at once, but once: Shopify may tell of one location all the time.
      await requestWork(services, tables, {
        shop,
        kind: "location",
        key: told.locationId,
        dueAtMs,
        unchanged: true,
        ...(known !== undefined && { known }),
      });
      return;
    case "uninstall": {
      // From now on nothing is sent, until Shopify was asked. What it refused before confirms nothing that is told only now.
      const news = await tables.shops.update(
        { shop, uninstalledAtMs: null, uninstallToldAtMs: null },
        { uninstallToldAtMs: nowMs, refusedAtMs: null },
      );
      if (news > 0)
        await recordActivity(services, tables, { shop, actor: "shopify", kind: "uninstall_told", outcome: "noted" });
      // It is being found out, with rests of its own.
      else if (await isAsked(tables, shop)) return;
      await requestWork(services, tables, { shop, kind: "uninstall", key: "shop" });
      return;
    }
    case "standing":
      if (!(await isAsked(tables, shop))) await requestWork(services, tables, { shop, kind: "uninstall", key: "shop" });
      return;
    case "redact":
      // The first word of its leaving, where the other was lost.
      await tables.shops.update({ shop, redactToldAtMs: null, uninstallToldAtMs: null }, { refusedAtMs: null });
      await tables.shops.update({ shop, redactToldAtMs: null }, { redactToldAtMs: nowMs });
      await requestWork(services, tables, { shop, kind: "redact", key: "shop" });
      return;
    case "scopes":
      await recordActivity(services, tables, { shop, actor: "shopify", kind: "scopes_changed", outcome: "noted" });
      await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
  }
}

/** Whether a run that asks Shopify whether the shop is there is to follow. */
async function isAsked(tables: Tables, shop: string): Promise<boolean> {
  const asking = await tables.workItems.find({ shop, kind: "uninstall", key: "shop" });
  return asking !== null && asking.generation > asking.observedGeneration;
}
