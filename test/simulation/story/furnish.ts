import { FLOW_TRIGGERS } from "../../../app/domain/flow/triggers.ts";
import { DEFAULT_POLICIES } from "../../../app/domain/records.ts";
import type { ShopRecord } from "../../../app/domain/records.ts";
import { Secret } from "../../../app/domain/secret.ts";
import type { Store } from "../../../app/ports.ts";
import { connectionRecord, detailsRecord, shopRecord } from "../../fakes/records.ts";
import { secretOf } from "../../fakes/shipping/tokens.ts";
import type { FakeShopify } from "../../fakes/shopify.ts";
import type { ShopifyServer } from "../../fakes/shopify-server.ts";
import { CONTACT, shopifyLocation } from "../../fakes/world.ts";
import { madeByHand, sharedName } from "../people/address-book.ts";
import { addStranger } from "../people/in-service.ts";
import type { Known } from "../people/stage.ts";
import type { Accounts } from "./accounts.ts";
import type { Scenery } from "./scenery.ts";
import type { Sessions } from "./sessions.ts";

/** Before the story, so that any word of the story's is newer. */
const ALL_TRIGGERS: ShopRecord["flow"] = Object.fromEntries(
  Object.keys(FLOW_TRIGGERS).map((trigger) => [trigger, { isUsed: true, toldMs: 0 }]),
);

interface House {
  store: Store;
  shopify: FakeShopify;
  server: ShopifyServer;
  sessions: Sessions;
  accounts: Accounts;
  known: Known;
  nowMs: number;
}

/** The shops as their owners prepared them: connected, most locations confirmed and complete, and nothing sent yet. */
export async function furnish(scenery: Scenery, house: House): Promise<void> {
  const { store, shopify, server, sessions, accounts, known, nowMs } = house;
  for (const { shop, clientId, locationIds, unconfirmed } of scenery.shops) {
    await store.shops.insert(
      shopRecord({
        shop,
        contact: CONTACT,
        policies: { ...DEFAULT_POLICIES, ...scenery.policies },
        installedAtMs: nowMs,
        flow: scenery.usesFlow ? ALL_TRIGGERS : {},
      }),
    );
    sessions.keep(server.signIn(shop));
    const clientSecret = new Secret(secretOf(shop, 1));
    const connection = {
      id: `connection-of-${shop}`,
      shop,
      environment: "production" as const,
      clientId,
      clientSecret,
    };
    await store.connections.insert(connectionRecord(connection));
    for (const locationId of locationIds) {
      shopify.put(shop, shopifyLocation(Number(locationId.split("/").at(-1))));
      if (unconfirmed.includes(locationId)) continue;
      await store.details.insert(detailsRecord({ shop, locationId, confirmedAtMs: nowMs }));
    }
  }
  const account = accounts.of("client-1", "production")!;
  for (let stranger = 0; stranger < scenery.strangers; stranger += 1) addStranger(account, stranger);
  if (scenery.older) known.older.add(account.byPerson.add(madeByHand(sharedName(scenery.shops[0]!.shop))).id);
}
