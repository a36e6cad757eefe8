import { CLOSED_BREAKER } from "../domain/new-records.ts";
import type { Services } from "../ports.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { recordActivity } from "./record-activity.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/**
 * First no more sends (the version rises), then the tokens are revoked at the service as far as it answers, then forgotten. Links
 * and details stay. False when there was nothing to disconnect.
 */
export async function disconnectAccount(services: Services, { shop }: { shop: string }): Promise<boolean> {
  const stopped = await services.store.transaction(async (tables) => {
    const before = await tables.connections.find({ shop, current: true, state: { not: "disconnected" } });
    if (!before) return null;
    const stop = { state: "disconnected" as const, version: before.version + 1, ...CLOSED_BREAKER };
    await tables.connections.update({ id: before.id }, stop);
    await recordActivity(services, tables, { shop, actor: "owner", kind: "disconnected", outcome: "done" });
    return { ...before, ...stop };
  });
  if (!stopped) return false;
  services.shipping.forget(stopped.id);
  const revoked = revokeTokens(services, stopped, { priority: "interactive" })
    .then(() => forgetSecrets(services.store, stopped))
    .catch((error: unknown) => services.log.error({ shop, error }, "the secret is forgotten at the next start"));
  await Promise.race([revoked, services.clock.sleep(services.settings.interactiveWaitMs)]);
  return true;
}

/** Ends what a crash between the two halves of a disconnect left. At boot. */
export async function forgetDisconnected(services: Services): Promise<void> {
  for (const connection of await services.store.connections.list({ state: "disconnected" })) {
    if (connection.clientSecret !== null) await forgetSecrets(services.store, connection);
  }
}
