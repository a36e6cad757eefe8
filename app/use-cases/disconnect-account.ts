import type { ConnectionRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { recordActivity } from "./record-activity.ts";

/**
 * First no more sends (the version rises), then the tokens are revoked at the service as far as it answers, then forgotten. Links
 * and details stay. False when there was nothing to disconnect.
 */
export async function disconnectAccount(services: Services, { shop }: { shop: string }): Promise<boolean> {
  const stopped = await services.store.transaction(async (tables) => {
    const before = await tables.connections.find({ shop, current: true, state: { not: "disconnected" } });
    if (!before) return null;
    const stop = { state: "disconnected" as const, version: before.version + 1, failures: 0, backoffUntilMs: null };
    await tables.connections.update({ id: before.id }, stop);
    await recordActivity(services, tables, { shop, actor: "owner", kind: "disconnected", outcome: "done" });
    return { ...before, ...stop };
  });
  if (!stopped) return false;
  const revoked = revoke(services, stopped)
    .then(() => forget(services, stopped))
    .catch((error: unknown) => services.log.error({ shop, error }, "the secret is forgotten at the next start"));
  await Promise.race([revoked, services.clock.sleep(services.settings.interactiveWaitMs)]);
  return true;
}

/** Ends what a crash between the two halves of a disconnect left. At boot. */
export async function forgetDisconnected(services: Services): Promise<void> {
  for (const connection of await services.store.connections.list({ state: "disconnected" })) {
    if (connection.clientSecret !== null) await forget(services, connection);
  }
}

async function revoke(services: Services, connection: ConnectionRecord): Promise<void> {
  const { shop, environment, clientId, clientSecret, scope, redirectUri, accessToken, refreshToken } = connection;
  if (!clientSecret || (!accessToken && !refreshToken)) return;
  const credentials = { shop, environment, clientId, clientSecret: clientSecret.reveal(), scope, redirectUri };
  const tokens = { accessToken: accessToken?.reveal() ?? null, refreshToken: refreshToken?.reveal() ?? null };
  try {
    await services.shipping.revoke({ credentials, ...tokens }, { priority: "interactive" });
  } catch (error) {
    services.log.warn(
      { shop, error },
      "the service did not confirm that the tokens are revoked; they end by themselves",
    );
  }
}

/** Fenced: credentials given meanwhile raised the version and stay. */
async function forget({ store }: Services, { id, version }: ConnectionRecord): Promise<void> {
  const nothing = { clientSecret: null, accessToken: null, refreshToken: null, tokenScope: null };
  await store.connections.update({ id, version }, { ...nothing, tokenObtainedAtMs: null, tokenExpiresAtMs: null });
}
