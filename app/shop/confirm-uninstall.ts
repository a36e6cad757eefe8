import { shutReason } from "../domain/shop-access.ts";
import { reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { askAgainMs, askStanding } from "./ask-standing.ts";
import { departShop, finishDeparture } from "./depart-shop.ts";

/**
 * Asks Shopify whether it lets us into the shop, again and again until it does or the shop has left. It has left when a received
 * `app/uninstalled` was confirmed, or is 30 days old; without one nothing is ever erased. Until then the shop is shut, and kept.
 */
export async function confirmUninstall(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const known = await services.store.shops.find({ shop: item.shop });
  if (known && known.uninstalledAtMs !== null) {
    await finishDeparture(run);
    return { kind: "done" };
  }
  const asked = await askStanding(run);
  if (!asked || asked.answer.kind === "installed") return { kind: "done" };
  const { shop, answer } = asked;
  if (shop.uninstallToldAtMs !== null && (asked.confirmed || asked.keptLongEnough)) {
    await departShop(run, shop);
    return { kind: "done" };
  }
  const message = answer.kind === "unclear" ? answer.message : null;
  const reason = reasonOf(run, shutReason(shop) ?? "shopify_unavailable", { message });
  return { kind: "waits", untilMs: services.clock.nowMs() + askAgainMs(run, asked), reason };
}
