import { DEFAULT_POLICIES } from "../../../app/domain/records.ts";
import { connectionRecord, shopRecord } from "../../fakes/records.ts";
import { CONTACT } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

export const TWO = "two.myshopify.com";

/** Another shop opens the world's account, over the first shop's client id or another one of it. It asks no carriers. */
export async function openSecondShop(world: World, clientId: string): Promise<void> {
  const policies = { ...DEFAULT_POLICIES, verifyAfterChange: false, carriers: [] };
  await world.store.shops.insert(shopRecord({ shop: TWO, contact: CONTACT, policies }));
  world.accounts.set(clientId, world.account);
  const nowMs = world.clock.nowMs();
  const read = { bookReadAtMs: nowMs, bookConfirmedAtMs: nowMs };
  await world.store.connections.insert(connectionRecord({ id: "connection-2", shop: TWO, clientId, ...read }));
}
