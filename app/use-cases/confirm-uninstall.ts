import type { ConnectionRecord } from "../domain/records.ts";
import { commit, superseded } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { forgetSecrets } from "./forget-secrets.ts";
import { recordActivity } from "./record-activity.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/** Who comes back needs longer than this; an answer that is older, for the machine may have slept, is asked for again. */
const ANSWER_HOLDS_MS = 15_000;

/**
 * Acts only if Shopify refuses the shop's token: a late webhook after a reinstall does nothing. First the versions rise, so that
 * no send goes; then tokens are revoked as far as the service answers; then all secrets are forgotten. Details and links stay.
 */
export async function confirmUninstall(run: Run): Promise<RunEnd> {
  const { services, target, signal } = run;
  const { shop } = target;
  const askedAtMs = services.clock.nowMs();
  const before = await services.store.connections.list({ shop });
  if ((await services.shopify.standing(shop)).kind !== "refused") return { kind: "done" };
  const connections = await commit(run, async (tables) => {
    const nowMs = services.clock.nowMs();
    if (nowMs - askedAtMs > ANSWER_HOLDS_MS || !sameVersions(before, await tables.connections.list({ shop })))
      throw superseded("Shopify's answer is older than what the owner did since");
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
  // Before the slow part: what a returning owner signs in with must stay.
  await services.store.forgetSessions(shop);
  for (const connection of connections) await revokeTokens(services, connection, { priority: run.priority, signal });
  await commit(run, async (tables) => {
    for (const connection of connections) await forgetSecrets(tables, connection);
  });
  return { kind: "done" };
}

function sameVersions(before: ConnectionRecord[], now: ConnectionRecord[]): boolean {
  const known = new Map(before.map(({ id, version }) => [id, version]));
  return now.every(({ id, version }) => known.get(id) === version);
}
