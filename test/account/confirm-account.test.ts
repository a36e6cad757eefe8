import { describe, expect, test } from "vitest";
import type { Store } from "../../app/ports.ts";
import { confirmAccount } from "../../app/account/confirm-account.ts";
import { openFreshStore } from "../adapters/store/open-store.ts";
import { createMemoryStore } from "../fakes/memory-store.ts";
import {
  connectionRecord,
  pendingWriteRecord,
  linkRecord,
  NOW_MS,
  SHOP,
  shopRecord,
  verificationRecord,
} from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";

/** Rows pass from one client id to another; whether their keys let them is the store's to say, so the real one is asked too. */

const STORES: [string, () => Promise<{ store: Store; close: () => Promise<void> }>][] = [
  ["in memory", async () => ({ store: createMemoryStore(), close: async () => undefined })],
  ["on SQLite", () => openFreshStore()],
];

const TEMPLATE = { templateId: "template-1" };

describe.each(STORES)("a new client id, %s", (_where, open) => {
  test.each([true, false])(
    "of the same account: %s; links, verdicts and unclear writes pass over, or stay aside",
    async (same) => {
      const { store, close } = await open();
      const { services } = await createWorld({ connected: false });
      await store.shops.insert(shopRecord());
      await store.connections.insert(
        connectionRecord({ id: "old", clientId: "client-1", current: false, state: "aside" }),
      );
      await store.connections.insert(connectionRecord({ id: "new", clientId: "client-2", state: "unconfirmed" }));
      await store.links.insert(linkRecord({ connectionId: "old", ...TEMPLATE }));
      const accepted = verificationRecord({ connectionId: "old", ...TEMPLATE, carrier: "fedex", outcome: "accepted" });
      const pending = verificationRecord({ connectionId: "old", ...TEMPLATE, carrier: "dhl", outcome: "pending" });
      await store.verifications.insert(accepted);
      await store.verifications.insert(pending);
      await store.verifications.insert({ ...accepted, connectionId: "new", outcome: "seen" });
      await store.pendingWrites.insert(pendingWriteRecord({ connectionId: "old" }));

      expect(await confirmAccount({ ...services, store }, { shop: SHOP, same })).toBe(true);

      const holder = same ? "new" : "old";
      expect(await store.links.list({ shop: SHOP })).toMatchObject([{ connectionId: holder, ...TEMPLATE }]);
      const verdicts = await store.verifications.list(
        { shop: SHOP, connectionId: holder },
        { orderBy: { carrier: "asc" } },
      );
      expect(verdicts).toEqual([pending, accepted].map((verdict) => ({ ...verdict, connectionId: holder })));
      expect(await store.verifications.count({ shop: SHOP, connectionId: "old" })).toBe(same ? 0 : 2);
      // What a carrier still owes an answer to goes on being asked for.
      expect(await store.workItems.count({ shop: SHOP, kind: "verification", key: "new:template-1" })).toBe(
        same ? 1 : 0,
      );
      expect(await store.pendingWrites.list({ shop: SHOP })).toMatchObject([{ connectionId: holder }]);
      expect(await store.connections.find({ id: "new" })).toMatchObject({ state: "active" });
      await close();
    },
  );

  test.each([
    ["a location's", { operation: "update", locationId: "gid://shopify/Location/1" } as const],
    ["a form's", { operation: "update", locationId: null } as const],
  ])("%s unclear update passes over to one that has an unclear write to the template itself", async (_whose, write) => {
    const { store, close } = await open();
    const { services } = await createWorld({ connected: false });
    await store.shops.insert(shopRecord());
    await store.connections.insert(
      connectionRecord({ id: "old", clientId: "client-1", current: false, state: "aside" }),
    );
    await store.connections.insert(connectionRecord({ id: "new", clientId: "client-2", state: "unconfirmed" }));
    await store.links.insert(linkRecord({ connectionId: "old", ...TEMPLATE }));
    const payload = { address_attributes: { phone: "3336150000" } };
    const late = NOW_MS + 90_000;
    const old = { connectionId: "old", ...TEMPLATE, marker: null, payload, quarantineUntilMs: late };
    await store.pendingWrites.insert(pendingWriteRecord({ ...old, ...write }));
    const own = {
      id: "intent-2",
      workItemId: "target-2",
      operation: "update",
      locationId: null,
      marker: null,
    } as const;
    await store.pendingWrites.insert(
      pendingWriteRecord({ ...own, ...TEMPLATE, connectionId: "new", quarantineUntilMs: NOW_MS + 1_000 }),
    );

    expect(await confirmAccount({ ...services, store }, { shop: SHOP, same: true })).toBe(true);

    expect(await store.pendingWrites.list({ shop: SHOP })).toMatchObject([
      { id: "intent-2", connectionId: "new", quarantineUntilMs: late },
    ]);
    const unclear = write.locationId === null ? null : { operation: "update", payload };
    expect(await store.links.list({ shop: SHOP })).toMatchObject([{ connectionId: "new", unclear }]);
    await close();
  });
});
