import { CLOSED_BREAKER } from "../domain/new-records.ts";
import type { ShopRecord } from "../domain/records.ts";
import { OPEN } from "../domain/shop-access.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { sameAccess } from "./ask-standing.ts";
import { forgetSecrets } from "../account/forget-secrets.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { forgetSeen, turnedOff } from "../triggers/note-events.ts";
import { revokeTokens } from "../account/revoke-tokens.ts";

/**
 * The shop has left. First its sessions are forgotten and the versions of all its connections rise, those set aside too, so that no
 * send goes; then tokens are revoked as far as the service answers; then all secrets are forgotten. Details and links stay.
 *
 * @throws AppError `superseded` when something was said of the shop's access since `asked`.
 */
export async function departShop(run: Run, asked: ShopRecord): Promise<void> {
  const { services, item } = run;
  const { shop } = item;
  await commit(run, async (tables) => {
    const now = await tables.shops.find({ shop });
    if (!now || now.uninstalledAtMs !== null || !sameAccess(asked, now)) throw superseded("somebody came meanwhile");
    const flow = turnedOff(now.flow);
    await tables.shops.update({ shop }, { ...OPEN, uninstalledAtMs: services.clock.nowMs(), flow });
    await forgetSeen(tables, shop);
    // In one with it: what a returning owner signs in with must stay, however late this process goes on.
    await tables.forgetSessions(shop);
    await recordActivity(services, tables, { shop, actor: "shopify", kind: "uninstalled", outcome: "done" });
    for (const { id, version } of await tables.connections.list({ shop, state: { not: "disconnected" } })) {
      await tables.connections.update({ id }, { state: "disconnected", version: version + 1, ...CLOSED_BREAKER });
    }
  });
  await finishDeparture(run);
}

/** The rest of a departure, which a crash may have interrupted anywhere. */
export async function finishDeparture(run: Run): Promise<void> {
  const { services, item, priority, signal } = run;
  const connections = await services.store.connections.list({ shop: item.shop, state: "disconnected" });
  for (const { id } of connections) services.shipping.forget(id);
  for (const connection of connections) await revokeTokens(services, connection, { priority, signal });
  await commit(run, async (tables) => {
    for (const connection of connections) await forgetSecrets(tables, connection);
  });
}
