import { SUGGESTED_CARRIERS } from "../domain/verification/carriers.ts";
import type { Services, Store } from "../ports.ts";
import { knownLocations } from "../readings/known-rows.ts";
import { knownShop } from "../readings/known-shop.ts";
import { readingOf, rememberReading } from "../readings/remember-reading.ts";
import { frozenAccount } from "../account/frozen-account.ts";
import { isDisconnected } from "../domain/closed-reason.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import { maskClientId } from "../views/masked.ts";
import { connectionView } from "./connection-view.ts";
import type { FrozenView, SettingsView } from "../views/settings.ts";

/** Verifications looked through for carriers that this account knows. */
const RECENT = 200;
const CARRIERS = readingOf("verifications");

/** Settings, from the database; of the connection only what may leave for the browser. Null when the shop is unknown. */
export async function readSettings(services: Services, { shop }: { shop: string }): Promise<SettingsView | null> {
  const { store } = services;
  const known = await knownShop(services, { shop });
  if (!known) return null;
  const { shop: record, connection } = known;
  const locations = await knownLocations(store, shop);
  const { language, policies, contact, revision } = record;
  const seen = [...policies.carriers, ...(await carriersSeen(store, shop))];
  return {
    revision,
    settings: { language, policies, contact },
    connection: connection && (await connectionView(services, connection)),
    frozen: await frozenView(store, connection),
    carriers: [...new Set([...SUGGESTED_CARRIERS, ...seen])],
    locations: locations
      .filter((one) => one.isActive && one.deletedAtMs === null && !one.isFulfillmentService)
      .map(({ locationId, name }) => ({ locationId, name })),
    postalCodes: await store.postalCodes.edition(),
  };
}

async function frozenView(store: Store, connection: ConnectionRecord | null): Promise<FrozenView | null> {
  const frozen = connection && !isDisconnected(connection) ? await frozenAccount(store, connection) : null;
  if (!frozen) return null;
  const { id, shop, environment, clientId, lastSuccessAtMs } = frozen;
  const links = await store.links.count({ shop, connectionId: id });
  return { id, environment, maskedClientId: maskClientId(clientId), lastSuccessAtMs, links };
}

/** Carriers that this shop's accounts knew lately. */
function carriersSeen(store: Store, shop: string): Promise<string[]> {
  return rememberReading({ store, shop, kind: CARRIERS }, async () => {
    const latest = await store.verifications.list({ shop }, { orderBy: { changedAtMs: "desc" }, limit: RECENT });
    return [...new Set(latest.map(({ carrier }) => carrier))];
  });
}
