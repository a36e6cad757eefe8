import { SUGGESTED_CARRIERS } from "../domain/carriers.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { connectionFault } from "./fault-view.ts";
import { keptLinks } from "./kept-links.ts";
import { maskClientId } from "./views/masked.ts";
import type { ConnectionView, SettingsView } from "./views/settings.ts";

/** Verifications looked through for carriers that this account knows. */
const RECENT = 200;

/** Settings, from the database; of the connection only what may leave for the browser. Null when the shop is unknown. */
export async function readSettings(services: Services, { shop }: { shop: string }): Promise<SettingsView | null> {
  const { store } = services;
  const record = await store.shops.find({ shop });
  if (!record) return null;
  const connection = await store.connections.find({ shop, current: true });
  const [locations, verifications] = await Promise.all([
    store.locations.list({ shop, isActive: true, deletedAtMs: null }, { orderBy: { name: "asc" } }),
    store.verifications.list({ shop }, { orderBy: { changedAtMs: "desc" }, limit: RECENT }),
  ]);
  const { language, policies, contact, revision } = record;
  const seen = [...policies.carriers, ...verifications.map((one) => one.carrier)];
  return {
    revision,
    settings: { language, policies, contact },
    connection: connection && (await viewOf(services, connection)),
    carriers: [...new Set([...SUGGESTED_CARRIERS, ...seen])],
    locations: locations
      .filter((one) => !one.isFulfillmentService)
      .map(({ locationId, name }) => ({ locationId, name })),
  };
}

async function viewOf(services: Services, connection: ConnectionRecord): Promise<ConnectionView> {
  const { environment, state, clientId, scope, redirectUri, tokenScope, tokenObtainedAtMs, tokenExpiresAtMs } =
    connection;
  const hasToken = connection.accessToken !== null && tokenObtainedAtMs !== null && tokenExpiresAtMs !== null;
  return {
    environment,
    state,
    maskedClientId: maskClientId(clientId),
    scope,
    redirectUri,
    token: hasToken ? { scope: tokenScope, obtainedAtMs: tokenObtainedAtMs, expiresAtMs: tokenExpiresAtMs } : null,
    lastSuccessAtMs: connection.lastSuccessAtMs,
    fault: connectionFault(connection),
    linksKept: state === "unconfirmed" ? ((await keptLinks(services.store, connection))[0]?.links.length ?? 0) : 0,
  };
}
