import { AppError } from "../domain/errors.ts";
import { newConnection } from "../domain/new-records.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import { Secret } from "../domain/secret.ts";
import type { Credentials, IssuedToken, Services, Tables } from "../ports.ts";
import { stateOfAccount } from "./account-state.ts";
import { putOthersAside } from "./put-aside.ts";
import { requestStopped } from "./request-stopped.ts";
import { requestWork } from "../runs/request-work.ts";
import { requestLook } from "../triggers/request-look.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { recogniseAccount } from "./recognise-account.ts";
import { openedColumns } from "./token-columns.ts";
import { tryCredentials } from "./try-credentials.ts";
import type { CredentialsRefusal, StatedCredentials } from "./try-credentials.ts";
import { maskClientId } from "../views/masked.ts";

export type ConnectOutcome =
  | { kind: "connected" }
  /** A new client id, and whether its account is the one the links belong to is not known (yet). */
  | { kind: "unconfirmed" }
  | CredentialsRefusal;

/**
 * Connects the shop, swaps its secret, or changes its account: gets a token there and then, and stores nothing unless it came. A new
 * secret keeps the connection and its links; another client id puts the old connection aside with its links.
 */
export async function connectAccount(
  services: Services,
  { shop, stated }: { shop: string; stated: StatedCredentials },
): Promise<ConnectOutcome> {
  const tried = await tryCredentials(services, { shop, stated });
  if (tried.kind !== "issued") return tried;
  const connection = await services.store.transaction(shop, (tables) => storeConnection(services, tables, tried));
  for (const { id } of await services.store.connections.list({ shop })) services.shipping.forget(id);
  services.wake();
  if (connection.state === "active") return { kind: "connected" };
  return { kind: await recogniseAccount(services, { connection }) };
}

async function storeConnection(
  services: Services,
  tables: Tables,
  { credentials, token }: { credentials: Credentials; token: IssuedToken },
): Promise<ConnectionRecord> {
  const { shop, environment, clientId } = credentials;
  const before = await tables.connections.find({ shop, environment, clientId });
  const base = before ?? newConnection({ id: services.random.id(), shop, environment, clientId });
  await putOthersAside(tables, base);
  const connection: ConnectionRecord = {
    ...base,
    ...secretsOf(credentials),
    ...openedColumns(token, services.clock.nowMs()),
    version: base.version + 1,
    state: await stateOfAccount(tables, base, before),
    // While another account was in use, something may have been made in this one.
    bookConfirmedAtMs: before?.current && before.state === "active" ? before.bookConfirmedAtMs : null,
    current: true,
  };
  if (before) await tables.connections.update({ id: base.id, shop }, connection);
  else if (!(await tables.connections.insert(connection)))
    throw new AppError({ kind: "internal", message: "the shop has a current connection already" });
  const swapped = before?.current && before.state !== "disconnected";
  await recordActivity(services, tables, {
    shop,
    actor: "owner",
    kind: swapped ? "credentials_changed" : "connected",
    outcome: "done",
    // Another client id than the last is a row of its own, so a swap changes neither; a connection says which it is.
    fields: swapped
      ? []
      : [
          { field: "environment", from: null, to: environment },
          { field: "clientId", from: null, to: maskClientId(clientId) },
        ],
  });
  if (connection.state === "active") {
    await requestStopped(services, tables, { shop, connectionId: connection.id, isOther: !before?.current });
    await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
    await requestLook(services, tables, shop);
  }
  return connection;
}

function secretsOf({ clientSecret, scope, redirectUri }: Credentials): Partial<ConnectionRecord> {
  return {
    clientSecret: new Secret(clientSecret),
    scope,
    redirectUri,
  };
}
