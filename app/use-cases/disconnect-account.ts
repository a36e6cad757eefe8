import { CLOSED_BREAKER } from "../domain/new-records.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { recordActivity } from "./record-activity.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/**
 * Ends the shop's work with the shipping service: the current connection and all that were set aside before it, test and production
 * alike, for no page shows those and nothing else would forget their secrets. First no more sends (the versions rise), then the
 * tokens are revoked at the service as far as it answers, then forgotten. Links and details stay. False when there was nothing to
 * disconnect.
 */
export async function disconnectAccount(services: Services, { shop }: { shop: string }): Promise<boolean> {
  const stopped = await services.store.transaction(async (tables) => {
    if ((await tables.connections.count({ shop, current: true, state: { not: "disconnected" } })) === 0) return null;
    await recordActivity(services, tables, { shop, actor: "owner", kind: "disconnected", outcome: "done" });
    return stopAll(tables, shop);
  });
  if (!stopped) return false;
  for (const { id } of stopped) services.shipping.forget(id);
  await Promise.race([forgetAll(services, stopped), services.clock.sleep(services.settings.interactiveWaitMs)]);
  return true;
}

/** The current one first. */
async function stopAll(tables: Tables, shop: string): Promise<ConnectionRecord[]> {
  const open = await tables.connections.list(
    { shop, state: { not: "disconnected" } },
    { orderBy: { current: "desc" } },
  );
  const stopped: ConnectionRecord[] = [];
  for (const before of open) {
    const stop = { state: "disconnected" as const, version: before.version + 1, ...CLOSED_BREAKER };
    await tables.connections.update({ id: before.id }, stop);
    stopped.push({ ...before, ...stop });
  }
  return stopped;
}

async function forgetAll(services: Services, stopped: ConnectionRecord[]): Promise<void> {
  for (const connection of stopped) {
    try {
      await revokeTokens(services, connection, { priority: "interactive" });
      await forgetSecrets(services.store, connection);
    } catch (error) {
      const { shop, id } = connection;
      services.log.error({ shop, connectionId: id, error }, "the secret is forgotten at the next start");
    }
  }
}

/**
 * At boot: ends what a crash between the two halves of a disconnect left, and what was set aside before a disconnect that did not
 * know of it. One shop's trouble is not another's.
 */
export async function forgetDisconnected(services: Services): Promise<void> {
  const { store, log } = services;
  for (const { shop } of await store.connections.list({ state: "disconnected", current: true }))
    await store.transaction((tables) => stopAll(tables, shop));
  for (const connection of await store.connections.list({ state: "disconnected" })) {
    const { shop, id, clientSecret } = connection;
    if (clientSecret === null) continue;
    await forgetSecrets(store, connection).catch((error: unknown) =>
      log.error({ shop, connectionId: id, error }, "the secret of a disconnected account could not be forgotten"),
    );
  }
}
