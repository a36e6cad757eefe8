import { CLOSED_BREAKER } from "../domain/new-records.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { NO_SECRETS, forgetSecrets } from "./forget-secrets.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/**
 * Ends the shop's work with the shipping service: the current connection and all that were set aside before it, test and production
 * alike, for a page shows one of those at most and nothing else would forget their secrets. In one transaction no more sends (the versions rise) and
 * the secrets are forgotten, however slowly the service answers; then the tokens are revoked there as far as it does. Links and
 * details stay. False when there was nothing to disconnect.
 */
export async function disconnectAccount(services: Services, { shop }: { shop: string }): Promise<boolean> {
  const stopped = await services.store.transaction(shop, async (tables) => {
    if ((await tables.connections.count({ shop, current: true, state: { not: "disconnected" } })) === 0) return null;
    await recordActivity(services, tables, { shop, actor: "owner", kind: "disconnected", outcome: "done" });
    return stopAll(tables, shop);
  });
  if (!stopped) return false;
  for (const { id } of stopped) services.shipping.forget(id);
  await Promise.race([revokeAll(services, stopped), services.clock.sleep(services.settings.interactiveWaitMs)]);
  return true;
}

/** Their secrets and tokens as they were, for revoking; the current connection first. */
async function stopAll(tables: Tables, shop: string): Promise<ConnectionRecord[]> {
  const open = await tables.connections.list(
    { shop, state: { not: "disconnected" } },
    { orderBy: { current: "desc" } },
  );
  for (const { id, version } of open) {
    const stop = { state: "disconnected" as const, version: version + 1, ...CLOSED_BREAKER };
    await tables.connections.update({ id }, { ...stop, ...NO_SECRETS });
  }
  return open;
}

/** A token that is not revoked ends by itself within two hours. */
async function revokeAll(services: Services, stopped: ConnectionRecord[]): Promise<void> {
  for (const connection of stopped) {
    const { shop, id } = connection;
    await revokeTokens(services, connection, { priority: "interactive" }).catch((error: unknown) =>
      services.log.error({ shop, connectionId: id, error }, "the tokens of a disconnected account were not revoked"),
    );
  }
}

/**
 * At boot: forgets what earlier versions of the app left behind when they were killed during a disconnect, and what they did not
 * disconnect because it was set aside. A shop that connected again since the list was read is left alone. One shop's trouble is not
 * another's.
 */
export async function forgetDisconnected(services: Services): Promise<void> {
  const { store, log } = services;
  for (const { shop } of await store.connections.list({ state: "disconnected", current: true }))
    await store.transaction(shop, async (tables) => {
      if (await tables.connections.find({ shop, current: true, state: "disconnected" })) await stopAll(tables, shop);
    });
  for (const connection of await store.connections.list({ state: "disconnected" })) {
    const { shop, id, clientSecret } = connection;
    if (clientSecret === null) continue;
    await forgetSecrets(store, connection).catch((error: unknown) =>
      log.error({ shop, connectionId: id, error }, "the secret of a disconnected account could not be forgotten"),
    );
  }
}
