import type { ShopRecord } from "../domain/records.ts";
import { commit, reasonOf, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { askAgainMs, askStanding, lookAgainMs } from "./ask-standing.ts";
import { departShop } from "./depart-shop.ts";
import { eraseRows } from "./erase-rows.ts";
import { requestWork } from "../runs/request-work.ts";
import { recordActivity } from "../activity/record-activity.ts";

const DAY_MS = 24 * 3_600_000;
/** How long Shopify gives an app to erase a shop. */
export const ERASE_WITHIN_MS = 30 * DAY_MS;

/**
 * Shopify asked to erase the shop. One that has left is erased, should Shopify not take a token of it again, and so is one that Shopify
 * confirms to be gone. One that Shopify lets us into is not: the request is late, or was repeated after a reinstall. While Shopify says
 * neither, it is asked again, the operator is told every day, and a person may decide (`npm run redactions`).
 */
export async function redactShop(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const known = await services.store.shops.find({ shop: item.shop });
  if (!known || known.redactToldAtMs === null) return { kind: "done" };
  if (known.redactDecision === "keep") return keepShop(run, "a person decided to keep the shop", { askOn: true });
  if (known.uninstalledAtMs !== null) return eraseUnlessBack(run, known);
  const asked = await askStanding(run);
  if (!asked) return { kind: "done" };
  if (asked.answer.kind === "installed") return keepShop(run, "Shopify lets us into the shop");
  if (asked.confirmed || known.redactDecision === "erase") {
    await departShop(run, asked.shop);
    throw superseded("the shop has left: its request is carried out next");
  }
  const message = asked.answer.kind === "unclear" ? asked.answer.message : `Shopify says: ${asked.answer.kind}`;
  alarmDaily(run, { toldAtMs: known.redactToldAtMs, message });
  const since = { ...asked.shop, uninstallToldAtMs: known.redactToldAtMs };
  return {
    kind: "waits",
    untilMs: services.clock.nowMs() + askAgainMs(run, { ...asked, shop: since }),
    reason: reasonOf(run, "shopify_unavailable", { message }),
  };
}

/** Nothing is erased; what Shopify asked is answered by that. `askOn`: whether Shopify lets us in is still to be found out. */
async function keepShop(run: Run, why: string, { askOn = false } = {}): Promise<RunEnd> {
  const { services, item } = run;
  const { shop } = item;
  services.log.warn({ shop }, `nothing is erased on Shopify's request: ${why}`);
  await commit(run, async (tables) => {
    await tables.shops.update({ shop }, { redactToldAtMs: null, redactDecision: null });
    await recordActivity(services, tables, { shop, actor: "shopify", kind: "redact_kept", outcome: "noted" });
    if (askOn) await requestWork(services, tables, { shop, kind: "uninstall", key: "shop" });
  });
  return { kind: "done" };
}

/**
 * Of a shop that has left nothing opens a page, but its owner may be coming back: their session is stored before the page that welcomes
 * the shop has come to its end, and would go with the shop.
 */
async function eraseUnlessBack(run: Run, known: ShopRecord): Promise<RunEnd> {
  const { services, item } = run;
  const answer = await services.shopify.standing(item.shop);
  if (answer.kind === "installed") return keepShop(run, "Shopify lets us into the shop again");
  const isGone = answer.kind === "refused" || (answer.kind === "unclear" && answer.why === "no_session");
  if (isGone || known.redactDecision === "erase") return erase(run, known);
  const toldAtMs = known.redactToldAtMs!;
  const message = answer.kind === "unclear" ? answer.message : `Shopify says: ${answer.kind}`;
  alarmDaily(run, { toldAtMs, message });
  return {
    kind: "waits",
    untilMs: services.clock.nowMs() + lookAgainMs(run, { ...known, uninstallToldAtMs: toldAtMs }),
    reason: reasonOf(run, "shopify_unavailable", { message }),
  };
}

async function erase({ services, item }: Run, { uninstalledAtMs }: ShopRecord): Promise<RunEnd> {
  const { shop } = item;
  const connections = await services.store.connections.list({ shop });
  await eraseRows(services.store, { shop, uninstalledAtMs });
  // A reinstall that came meanwhile has changed the row.
  if (!(await services.store.eraseShop(shop, { uninstalledAtMs }))) throw superseded("the shop is back");
  for (const { id } of connections) services.shipping.forget(id);
  services.log.info({ shop }, "everything of the shop was erased on Shopify's request");
  return { kind: "erased" };
}

/** Where another day has gone by since the last look. */
function alarmDaily({ services, item }: Run, { toldAtMs, message }: { toldAtMs: number; message: string }): void {
  const { shop, reason } = item;
  const agoMs = services.clock.nowMs() - toldAtMs;
  const daysAt = (ms: number) => Math.floor(ms / DAY_MS);
  if (daysAt(agoMs) <= daysAt((reason?.atMs ?? toldAtMs) - toldAtMs)) return;
  const daysLeft = Math.max(0, Math.ceil((ERASE_WITHIN_MS - agoMs) / DAY_MS));
  services.log.error(
    { alarm: "shop_redact", shop, toldAtMs, daysLeft, said: message },
    "Shopify asked to erase a shop and does not say whether it is gone: decide with `npm run redactions`",
  );
}
