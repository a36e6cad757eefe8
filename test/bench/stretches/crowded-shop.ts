import { createClock } from "../../../app/adapters/machine/clock.ts";
import { chunksOf } from "../../../app/domain/chunks.ts";
import { DEFAULT_POLICIES } from "../../../app/domain/records.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import type { ShippingService, Store } from "../../../app/ports.ts";
import { requestWork } from "../../../app/runs/request-work.ts";
import { claimWorkItem } from "../../../app/runs/claim.ts";
import { openFreshStore } from "../../adapters/store/open-store.ts";
import { servicesOf, shippingOver } from "../../fakes/app-process.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import {
  addressTemplate,
  connectionRecord,
  detailsRecord,
  locationGid,
  locationRecord,
  shopRecord,
  SHOP,
  templateRecord,
} from "../../fakes/records.ts";
import { createFakeNetwork, PROMPT } from "../../fakes/shipping/network.ts";
import { createFakeShopify } from "../../fakes/shopify.ts";
import { CONTACT, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";

/** One shop of which nothing is linked yet, beside an address book that others fill too, in the true store. */
export interface CrowdedShop {
  services: ReturnType<typeof servicesOf>;
  /** Another template is in the book, and all locations have another contact, so that nothing read before stands. */
  changeSomething(): Promise<void>;
  /** A look at everything, and a run of one location. */
  run(kind: "reconcile" | "location"): Promise<void>;
  close(): Promise<void>;
}

/** So that many have a postal code in common, as in a city they do. */
const POSTAL_CODES = 20;
const STREETS = ["Avenida Vallarta", "Calle Morelos", "Avenida Hidalgo"];

/** How many rows one transaction of the preparation writes: one may take a minute at most. */
const AT_ONCE = 500;

export async function openCrowdedShop(
  size: { locations: number; templates: number },
  open: () => Promise<{ store: Store; close(): Promise<void> }> = openFreshStore,
): Promise<CrowdedShop> {
  const { store, close } = await open();
  const clock = createClock();
  const random = createSeededRandom(1);
  const shopify = createFakeShopify(clock);
  const templates = Array.from({ length: size.templates }, (_one, index) => templateAt(index));
  let rounds = 0;
  const nowMs = clock.nowMs();
  const connection = connectionRecord({ bookReadAtMs: nowMs, bookConfirmedAtMs: nowMs });
  const account = { shop: SHOP, connectionId: connection.id };
  await store.transaction(SHOP, async (tables) => {
    await tables.shops.insert(shopRecord({ contact: CONTACT, policies: DEFAULT_POLICIES }));
    await tables.connections.insert(connection);
  });
  const indexes = Array.from({ length: size.locations }, (_one, index) => index);
  for (const some of chunksOf(indexes, AT_ONCE))
    await store.transaction(SHOP, async (tables) => {
      for (const index of some) {
        const there = shopifyLocation(index + 1, { address: addressAt(index) });
        const { locationId } = there;
        shopify.put(SHOP, there);
        await tables.locations.insert(locationRecord({ ...there, shop: SHOP }));
        await tables.details.insert(detailsRecord({ shop: SHOP, locationId, confirmedAtMs: nowMs }));
      }
    });
  for (const some of chunksOf(templates, AT_ONCE))
    await store.transaction(SHOP, async (tables) => {
      for (const template of some) {
        const row = { ...account, templateId: template.id, template, readAtMs: nowMs };
        await tables.templates.insert(templateRecord(row));
      }
    });
  const network = createFakeNetwork({
    clock,
    habits: { wipes: false, tidies: false, refuses: [] },
    accountOf: () => null,
    outcomeOf: () => PROMPT,
    arrived: () => undefined,
  });
  const services = servicesOf({
    store,
    shipping: listing(shippingOver({ network, clock, random, store, openAtOnce: true }), templates),
    shopify,
    clock,
    random,
  });
  return {
    services,
    async changeSomething() {
      rounds += 1;
      const template = templateAt(size.templates + rounds);
      templates.push(template);
      await store.templates.insert(
        templateRecord({ ...account, templateId: template.id, template, readAtMs: clock.nowMs() }),
      );
      await store.shops.update({ shop: SHOP }, { contact: { ...CONTACT, reference: `Puerta ${rounds}` } });
      // A write, whatever it changes, ends what is remembered of its table.
      const nobody = { shop: SHOP, locationId: "nobody" };
      await store.locations.delete(nobody);
      await store.details.delete(nobody);
      await store.workItems.delete({ shop: SHOP, kind: "location", key: nobody.locationId });
    },
    async run(kind) {
      const key = kind === "reconcile" ? "shop" : locationGid(2);
      const { workItemId } = await store.transaction(SHOP, (tables) =>
        requestWork(services, tables, { shop: SHOP, kind, key }),
      );
      const item = await claimWorkItem(services, { workItemId, shop: SHOP, owner: "bench" });
      if (!item) throw new Error(`${kind} could not be claimed`);
      await services.runWorkItem(services, { item, signal: new AbortController().signal });
    },
    close,
  };
}

/** How many templates the account of any other shop has. */
const OTHERS_TEMPLATES = 50;

/** The whole book is there at once: how long its pages take is the service's. */
function listing(shipping: ShippingService, templates: AddressTemplate[]): ShippingService {
  return {
    ...shipping,
    account: (ref) => ({
      ...shipping.account(ref),
      listAll: async () => ({
        templates: ref.shop === SHOP ? [...templates] : templates.slice(0, OTHERS_TEMPLATES),
        unreadable: [],
      }),
    }),
  };
}

function addressAt(index: number) {
  const zip = String(44_100 + (index % POSTAL_CODES));
  return mexicanAddress({ street: STREETS[index % STREETS.length]!, number: String(100 + index), zip });
}

function templateAt(index: number): AddressTemplate {
  const whole = addressTemplate();
  return {
    ...whole,
    id: `template-${String(index).padStart(5, "0")}`,
    alias_name: `Sucursal ${index}`,
    address: {
      ...whole.address,
      street1: STREETS[index % STREETS.length]!,
      street_number: String(5_000 + index),
      postal_code: String(44_100 + (index % POSTAL_CODES)),
    },
  };
}
