import type { ConnectionRecord } from "../domain/records.ts";
import { isAppError } from "../domain/errors.ts";
import { commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { recordActivity } from "./record-activity.ts";

/**
 * Acts only if Shopify refuses the shop's token: a late webhook after a reinstall does nothing. First the versions rise, so that
 * no send goes; then tokens are revoked as far as the service answers; then all secrets are forgotten. Details and links stay.
 */
export async function confirmUninstall(run: Run): Promise<RunEnd> {
  const { services, target } = run;
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
  for (const connection of connections) await revoke(run, connection);
  await commit(run, async (tables) => {
    const nothing = { clientSecret: null, accessToken: null, refreshToken: null, tokenScope: null };
    const forgotten = { ...nothing, tokenObtainedAtMs: null, tokenExpiresAtMs: null };
    for (const { id, version } of connections)
      await tables.connections.update({ id, version, state: "disconnected" }, forgotten);
  });
  await services.store.forgetSessions(shop);
  return { kind: "done" };
}

/** Best effort: tokens end by themselves after two hours. */
async function revoke({ services, signal }: Run, connection: ConnectionRecord): Promise<void> {
  const { shop, environment, clientId, clientSecret, scope, redirectUri, accessToken, refreshToken } = connection;
  if (!clientSecret || (!accessToken && !refreshToken)) return;
  const credentials = { shop, environment, clientId, clientSecret: clientSecret.reveal(), scope, redirectUri };
  const tokens = { accessToken: accessToken?.reveal() ?? null, refreshToken: refreshToken?.reveal() ?? null };
  try {
    await services.shipping.revoke({ credentials, ...tokens }, { priority: "sync", signal });
  } catch (error) {
    if (!isAppError(error)) throw error;
    services.log.warn({ shop, kind: error.kind, requestId: error.requestId }, "a token was not revoked");
  }
}
