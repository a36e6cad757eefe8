import { markerOf } from "../../app/domain/marker.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import { Secret } from "../../app/domain/secret.ts";
import type { Policies } from "../../app/domain/records.ts";
import type { Store } from "../../app/ports.ts";
import { connectionRecord, detailsRecord, locationGid, shopRecord } from "../fakes/records.ts";
import type { SeededRandom } from "../fakes/random.ts";
import type { FakeAccount, Habits } from "../fakes/shipping-account.ts";
import { secretOf } from "../fakes/shipping-network.ts";
import type { FakeShopify } from "../fakes/shopify.ts";
import { CONTACT, shopifyLocation } from "../fakes/world.ts";
import type { Weather } from "./fates.ts";

/** What one schedule is about, drawn from its seed before anything happens. */
export interface Scenery {
  shops: { shop: string; locationIds: string[] }[];
  habits: Habits;
  /** Processes that share the service's slots, or one that has its own and reboots. */
  processes: 1 | 2;
  workers: number;
  policies: Partial<Policies>;
  weather: Weather;
  webhooks: { lost: number; repeated: number; lateMs: number };
  /** Port calls after which a process dies or freezes. */
  crashes: ReadonlySet<number>;
  freezes: ReadonlySet<number>;
  /** How the story ends: everything is looked at anew, or only what the webhooks told counts. */
  tail: "boot" | "quiet";
  people: number;
  strangers: number;
}

const TROUBLE_MS = 240_000;

export interface SceneryOptions {
  startMs: number;
  effectsLaterThanBound: boolean;
}

export function drawScenery(random: SeededRandom, { startMs, effectsLaterThanBound }: SceneryOptions): Scenery {
  const tail = random.chance(0.4) ? "quiet" : "boot";
  const shops = random.chance(0.2) ? ["one.myshopify.com", "two.myshopify.com"] : ["one.myshopify.com"];
  const endsAtMs = startMs + TROUBLE_MS;
  const outageFromMs = startMs + random.between(0, TROUBLE_MS / 2);
  const crashes = tail === "quiet" ? 0 : random.pick([0, 1, 1, 2, 4]);
  const stir = () => random.between(20, 900);
  return {
    shops: shops.map((shop, index) => ({
      shop,
      locationIds: Array.from({ length: random.between(1, shops.length > 1 ? 1 : 3) }, (_, at) =>
        locationGid(10 * index + at + 1),
      ),
    })),
    habits: { wipes: random.chance(0.1), tidies: random.chance(0.3), refuses: random.chance(0.3) ? ["dhl"] : [] },
    processes: random.chance(0.4) ? 2 : 1,
    workers: random.between(1, 2),
    policies: {
      onDelete: random.pick(["keep", "unlink", "delete"]),
      onDeactivate: random.pick(["keep", "unlink", "delete"]),
      verifyAfterChange: random.chance(0.2),
      carriers: ["fedex", "dhl"],
    },
    weather: {
      faults: random.pick([0, 0.05, 0.15, 0.35]),
      outages: random.chance(0.25)
        ? [{ fromMs: outageFromMs, untilMs: outageFromMs + random.between(5_000, 90_000) }]
        : [],
      endsAtMs,
      effectsLaterThanBound,
    },
    webhooks: { lost: tail === "quiet" ? 0 : 0.15, repeated: 0.2, lateMs: random.pick([200, 5_000, 90_000]) },
    crashes: new Set(Array.from({ length: crashes }, stir)),
    freezes: new Set(random.chance(0.3) ? [stir(), stir()] : []),
    tail,
    people: random.between(2, 8),
    strangers: random.chance(0.03) ? 23 : random.between(0, 2),
  };
}

/** The shops as their owners left them: connected, locations confirmed and complete, nothing sent yet. */
export async function furnish(
  scenery: Scenery,
  { store, shopify, account, nowMs }: { store: Store; shopify: FakeShopify; account: FakeAccount; nowMs: number },
): Promise<void> {
  for (const { shop, locationIds } of scenery.shops) {
    await store.shops.insert(
      shopRecord({
        shop,
        contact: CONTACT,
        policies: { ...DEFAULT_POLICIES, ...scenery.policies },
        installedAtMs: nowMs,
      }),
    );
    await store.connections.insert(
      connectionRecord({
        id: `connection-of-${shop}`,
        shop,
        clientId: "client-1",
        clientSecret: new Secret(secretOf(shop, 1)),
        createdAtMs: nowMs,
      }),
    );
    for (const locationId of locationIds) {
      const number = Number(locationId.split("/").at(-1));
      shopify.put(shop, shopifyLocation(number));
      await store.details.insert(detailsRecord({ shop, locationId, confirmedAtMs: nowMs }));
    }
  }
  for (let stranger = 0; stranger < scenery.strangers; stranger += 1) {
    account.byPerson.add({
      alias_name: `Proveedor ${stranger}`,
      address_type: "from",
      address_attributes: {
        name: `Proveedor ${stranger}`,
        street1: "Calle Hidalgo",
        street_number: String(stranger),
        postal_code: "20000",
        country_code: "MX",
      },
    });
  }
}

export function templateOf(account: FakeAccount, shop: string, locationId: string): string | null {
  const marker = markerOf(shop, locationId);
  return [...account.templates.values()].find(({ alias_name }) => alias_name.includes(marker))?.id ?? null;
}
