import { commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { recordActivity } from "./record-activity.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/**
 * Acts only if Shopify refuses the shop's token: a late webhook after a reinstall does nothing. First the versions rise, so that
 * no send goes; then tokens are revoked as far as the service answers; then all secrets are forgotten. Details and links stay.
 */
export async function confirmUninstall(run: Run): Promise<RunEnd> {
  const { services, target, signal } = run;
  const { shop } = target;
  if ((await services.shopify.standing(shop)) === "installed") return { kind: "done" };
  const connections = await commit(run, async (tables) => {
    const nowMs = services.clock.nowMs();
    if ((await tables.shops.update({ shop, uninstalledAtMs: null }, { uninstalledAtMs: nowMs })) > 0) {
      await recordActivity(services, tables, { shop, actor: "shopify", kind: "uninstalled", outcome: "done" });
    }
    const open = await tables.connections.list({ shop, state: { not: "disconnected" } });
    for (const { id, version } of open) {
      await tables.connections.update(
        { id },
        { state: "disconnected", version: version + 1, failures: 0, backoffUntilMs: null },
      );
    }
    return tables.connections.list({ shop });
  });
  for (const { id } of connections) services.shipping.forget(id);
  for (const connection of connections) await revokeTokens(services, connection, { priority: run.priority, signal });
  await commit(run, async (tables) => {
    for (const connection of connections) await forgetSecrets(tables, connection);
  });
  await services.store.forgetSessions(shop);
  return { kind: "done" };
}
