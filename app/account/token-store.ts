import { inShort } from "../domain/flow/triggers.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import { revealed } from "../domain/secret.ts";
import type { Clock, Credentials, IssuedToken, Random, Store, TokenStore } from "../ports.ts";
import { noteEvents } from "../triggers/note-events.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { requestWork } from "../runs/request-work.ts";
import { REOPENING_AFTER_MS } from "./reopen-connection.ts";
import { tokenColumns } from "./token-columns.ts";

/**
 * Where the shipping adapter keeps connections' tokens: in the connections' own rows, every write fenced by their version, and in the
 * turn of the connection's shop alone.
 */
export function createTokenStore({ store, clock, random }: { store: Store; clock: Clock; random: Random }): TokenStore {
  /** A connection never changes its shop. */
  const shopOf = async (connectionId: string): Promise<string | null> =>
    (await store.connections.find({ id: connectionId }))?.shop ?? null;

  return {
    async read(connectionId) {
      const connection = await store.connections.find({ id: connectionId });
      if (!connection) return null;
      const { version, state } = connection;
      return { version, state, credentials: credentialsOf(connection), token: tokenOf(connection) };
    },

    async save({ connectionId, version, token }) {
      const shop = await shopOf(connectionId);
      if (shop === null) return false;
      return (await store.connections.update({ id: connectionId, shop, version }, tokenColumns(token))) > 0;
    },

    async markInvalid({ connectionId, version, serviceMessage, requestId }) {
      const shop = await shopOf(connectionId);
      if (shop === null) return;
      await store.transaction(shop, async (tables) => {
        const refusal = {
          lastFaultKind: "invalid_client",
          lastFaultAtMs: clock.nowMs(),
          lastFaultMessage: serviceMessage,
        } as const;
        const closed = { ...refusal, state: "invalid", version: version + 1 } as const;
        const usable = { id: connectionId, version, state: { in: ["active", "unconfirmed"] as const } };
        if ((await tables.connections.update(usable, closed)) === 0) return;
        await recordActivity({ clock, random }, tables, {
          shop,
          actor: "service",
          kind: "connection_refused",
          outcome: "failed",
          detail: serviceMessage,
          requestId,
        });
        const fields = {
          Location: "",
          Template: "",
          Carrier: "",
          Status: "invalid_client",
          Message: serviceMessage ?? "",
        };
        const news = [{ trigger: "connection-refused", fields: inShort(fields) } as const];
        await noteEvents({ clock, random }, tables, { shop, locationId: null, news });
        const dueAtMs = refusal.lastFaultAtMs + REOPENING_AFTER_MS[0];
        await requestWork({ clock, random }, tables, { shop, kind: "reconcile", key: "shop", dueAtMs });
      });
    },
  };
}

function credentialsOf({
  shop,
  environment,
  clientId,
  clientSecret: kept,
  scope,
  redirectUri,
}: ConnectionRecord): Credentials | null {
  const clientSecret = revealed(kept);
  return clientSecret === null ? null : { shop, environment, clientId, clientSecret, scope, redirectUri };
}

function tokenOf(connection: ConnectionRecord): IssuedToken | null {
  const { tokenScope: scope, tokenObtainedAtMs, tokenExpiresAtMs } = connection;
  const accessToken = revealed(connection.accessToken);
  if (accessToken === null || tokenObtainedAtMs === null || tokenExpiresAtMs === null) return null;
  return {
    accessToken,
    refreshToken: revealed(connection.refreshToken),
    scope,
    obtainedAtMs: tokenObtainedAtMs,
    expiresAtMs: tokenExpiresAtMs,
  };
}
