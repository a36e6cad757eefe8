import { expect, test } from "vitest";
import { markerOf } from "../../../app/domain/marker.ts";
import { createMemoryDatabase } from "../../fakes/memory-store.ts";
import { addressTemplate, connectionRecord, linkRecord, locationGid, shopRecord, SHOP } from "../../fakes/records.ts";
import { hiddenExtras } from "./extras.ts";

test.each([
  ["nobody", null, 1],
  ["a location of another shop of the account", "two.myshopify.com", 0],
])("a template that was made for a location, stands for %s and is on no page", async (_what, linkedBy, objections) => {
  const database = createMemoryDatabase();
  const store = database.open();
  const { id: templateId } = addressTemplate();
  const shops = [
    { shop: SHOP, locationIds: [locationGid(1)] },
    { shop: "two.myshopify.com", locationIds: [locationGid(2)] },
  ];
  for (const { shop, locationIds } of shops) {
    await store.shops.insert(shopRecord({ shop }));
    await store.connections.insert(connectionRecord({ id: `connection of ${shop}`, shop }));
    const link = { id: `link of ${shop}`, shop, connectionId: `connection of ${shop}`, locationId: locationIds[0]! };
    if (shop === linkedBy) await store.links.insert(linkRecord({ ...link, templateId }));
  }
  const account = {
    madeFor: new Map([[templateId, markerOf(SHOP, locationGid(1))]]),
    templates: new Map([[templateId, addressTemplate()]]),
  };
  const scenery = { shops, weather: { stuck: [] } };
  const stage = {
    database,
    scenery,
    known: { away: new Set() },
    accounts: { of: () => account },
    malformed: new Set(),
  };
  const pages = { book: async () => ({ rows: [], unreadable: [] }) };
  const words = await hiddenExtras(stage as never, pages as never);
  expect(words).toHaveLength(objections);
});
