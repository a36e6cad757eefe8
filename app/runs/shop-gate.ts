import type { WorkItemKind } from "../domain/records.ts";
import { shutReason } from "../domain/shop-access.ts";
import { blocked, reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/** Who sends something, to Shopify or to the service. The others find out whether the gate opens again. */
const GATED: readonly WorkItemKind[] = ["location", "template", "verification", "reconcile", "flow", "move"];

/** Not missed after a reinstall, which looks at everything. */
const LOST: readonly WorkItemKind[] = ["reconcile", "flow"];

/** Whoever waits is due at once when Shopify lets us in again; this is for a wake that was missed. */
const LOOK_AGAIN_MS = 3_600_000;

/** The one gate before all work for a shop: how the run ends while Shopify does not let us in; null when it may go on. */
export async function passShopGate(run: Run): Promise<RunEnd | null> {
  const { services, item } = run;
  if (!GATED.includes(item.kind)) return null;
  const shop = await services.store.shops.find({ shop: item.shop });
  if (!shop || (shop.uninstalledAtMs !== null && LOST.includes(item.kind))) return { kind: "done" };
  if (shop.uninstalledAtMs !== null) return blocked(run, "not_connected");
  const why = shutReason(shop);
  if (why === null) return null;
  return { kind: "waits", untilMs: services.clock.nowMs() + LOOK_AGAIN_MS, reason: reasonOf(run, why) };
}
