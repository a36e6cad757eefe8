import type { ConnectionRecord, Environment } from "../domain/records.ts";
import type { IssuedToken, Services, Tables } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { requestWork } from "../runs/request-work.ts";
import { requestLook } from "../triggers/request-look.ts";
import { maskClientId } from "../views/masked.ts";
import { stateOfAccount } from "./account-state.ts";
import { frozenAccount } from "./frozen-account.ts";
import { putOthersAside } from "./put-aside.ts";
import { recogniseAccount } from "./recognise-account.ts";
import { requestStopped } from "./request-stopped.ts";
import { openedColumns } from "./token-columns.ts";
import { tryCredentials } from "./try-credentials.ts";
import type { CredentialsRefusal } from "./try-credentials.ts";

export type SwitchOutcome =
  | { kind: "switched" }
  /** Whether its account is the one that its environment's links belong to is not known (yet). */
  | { kind: "unconfirmed" }
  /** It is in use already: somebody was faster. */
  | { kind: "already" }
  /** No account of that environment is kept, or the shop has disconnected. */
  | { kind: "none" }
  /** The kept credentials do not work any more, or nobody answered: the account in use stays in use. */
  | CredentialsRefusal;

/**
 * Takes up the account of the other environment again, with the credentials that are kept, once the service has given a token for them, and
 * freezes the one in use (decision 100). One transaction; the versions rise, so what was under way for the one before is not sent. Its links,
 * verdicts and unclear writes stay by its connection.
 */
export async function switchEnvironment(
  services: Services,
  { shop, environment }: { shop: string; environment: Environment },
): Promise<SwitchOutcome> {
  const { store, shipping, log } = services;
  const found = await findBoth(store, { shop, environment });
  if (typeof found === "string") return { kind: found };
  const { clientId, scope, redirectUri } = found.frozen;
  const tried = await tryCredentials(services, {
    shop,
    stated: { environment, clientId, clientSecret: null, scope, redirectUri },
  });
  if (tried.kind !== "issued") return tried;
  const { credentials, token } = tried;
  const switched = await store.transaction(shop, async (tables) => {
    const both = await findBoth(tables, { shop, environment });
    if (typeof both === "string") return both;
    // Another one was set aside meanwhile: the token is not its own.
    if (both.frozen.id !== found.frozen.id || both.frozen.version !== found.frozen.version) return "none";
    return takeUp(services, tables, { ...both, token });
  });
  if (typeof switched === "string") {
    const { accessToken, refreshToken } = token;
    shipping
      .revoke({ credentials, accessToken, refreshToken }, { priority: "reconcile" })
      .catch((error: unknown) => log.warn({ shop, error }, "a token that nobody uses was not revoked"));
    return { kind: switched };
  }
  for (const { id } of await store.connections.list({ shop })) shipping.forget(id);
  services.wake();
  if (switched.state === "active") return { kind: "switched" };
  const told = await recogniseAccount(services, { connection: switched });
  return { kind: told === "connected" ? "switched" : told };
}

interface Both {
  frozen: ConnectionRecord;
  inUse: ConnectionRecord;
}

async function findBoth(
  tables: Pick<Tables, "connections">,
  { shop, environment }: { shop: string; environment: Environment },
): Promise<Both | "none" | "already"> {
  const inUse = await tables.connections.find({ shop, current: true, state: { not: "disconnected" } });
  if (!inUse) return "none";
  if (inUse.environment === environment) return "already";
  const frozen = await frozenAccount(tables, inUse);
  return frozen ? { frozen, inUse } : "none";
}

async function takeUp(
  services: Services,
  tables: Tables,
  { frozen, inUse, token }: Both & { token: IssuedToken },
): Promise<ConnectionRecord> {
  const { shop, id, environment, clientId } = frozen;
  await putOthersAside(tables, frozen);
  const taken: ConnectionRecord = {
    ...frozen,
    ...openedColumns(token, services.clock.nowMs()),
    version: frozen.version + 1,
    state: await stateOfAccount(tables, frozen, frozen),
    current: true,
    // While it was frozen, something may have been made there.
    bookConfirmedAtMs: null,
  };
  await tables.connections.update({ id, shop }, taken);
  await recordActivity(services, tables, {
    shop,
    actor: "owner",
    kind: "environment_switched",
    outcome: "done",
    fields: [
      { field: "environment", from: inUse.environment, to: environment },
      { field: "clientId", from: maskClientId(inUse.clientId), to: maskClientId(clientId) },
    ],
  });
  if (taken.state === "active") {
    await requestStopped(services, tables, { shop, connectionId: id, isOther: true });
    await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
    await requestLook(services, tables, shop);
  }
  return taken;
}
