import type { Field } from "../../app/domain/plan/three-way.ts";
import type { SeededRandom } from "../fakes/random.ts";
import type { LocationInput } from "../sandbox/admin/locations.ts";
import type { RunningAdmin, StoreInput } from "../sandbox/admin/server.ts";
import type { AppProcess } from "../sandbox/app-process.ts";
import type { PlayedShop } from "../sandbox/play/mapped-shops.ts";
import { createVisitor } from "../sandbox/play/visitor.ts";
import { sandboxClient } from "../sandbox/shipping/options.ts";
import type { ShippingService } from "../sandbox/shipping/server.ts";
import type { Sandbox } from "../sandbox/start.ts";
import type { Diary } from "./diary.ts";
import { streetAddress } from "./people/places.ts";

/** Three shops with sixty locations. Two share one client id, and so one address book; the third has its own. */

interface ShopPlan {
  handle: string;
  name: string;
  locations: number;
  /** The client application of the stand-in that the shop connects. */
  application: number;
  /** Tells apart the two shops of one application, which both read its book. */
  scope: string;
}

export const SHOPS: readonly ShopPlan[] = [
  { handle: "bodegas-norte", name: "Bodegas Norte", locations: 30, application: 1, scope: "default" },
  { handle: "bodegas-sur", name: "Bodegas Sur", locations: 15, application: 1, scope: "read write" },
  { handle: "bodegas-centro", name: "Bodegas Centro", locations: 15, application: 2, scope: "default" },
];

/** A late effect happens within this time; the app's quarantine is set to be longer. */
export const LATEST_EFFECT_MS = 3_000;

export type SoakShop = PlayedShop & Pick<ShopPlan, "handle" | "locations">;

/** A change by hand that was requested in the app's address book. */
export interface HandDraft {
  draftId: string;
  shop: string;
  operation: "create" | "update" | "delete";
  templateId: string | null;
  /** The alias, by which a create is recognised. */
  alias: string | null;
  field: Field | null;
  value: string | null;
  /** What the page last said of the change; null while it said nothing. */
  told: string | null;
}

/** A value that an owner typed into a form's field, and whether the page confirmed it as saved. */
export interface Said {
  /** `shop`, or a location's id. */
  of: string;
  shop: string;
  field: string;
  value: string | null;
  saved: boolean;
}

export interface SoakWorld {
  random: SeededRandom;
  /** All processes of the app together. */
  app: AppProcess;
  apps: readonly AppProcess[];
  admin: RunningAdmin;
  service: ShippingService;
  shops: SoakShop[];
  diary: Diary;
  /** `templateId field value` that an owner saw in the account before deciding. Replacing such a value overwrites nothing unseen. */
  seenByOwner: Set<string>;
  /** `templateId field value` that a person typed into the app's own address book. A write of this value is that person's. */
  announced: Set<string>;
  /** When Shopify last began to say a value, by `locationId field value`: epoch ms. A person's equal value is everybody's from then on. */
  saidInShopify: Map<string, number>;
  drafts: Map<string, HandDraft>;
  said: Said[];
  /** Since when an origin is paused, as a page confirmed, by `shop locationId`. */
  pausedSinceMs: Map<string, number>;
  startedAtMs: number;
}

export function soakStores(): StoreInput[] {
  return SHOPS.map(({ handle, name, locations }) => ({
    handle,
    name,
    locations: Array.from({ length: locations }, (_one, index) => locationInput(`${name} ${index + 1}`, index)),
  }));
}

function locationInput(name: string, index: number): LocationInput {
  const address = { ...streetAddress("Avenida Vallarta", String(100 + index)), phone: "+523336150000" };
  return { name, fulfillsOnlineOrders: true, address };
}

export function createWorld(
  { app, apps, admin, adminUrl, shipping }: Sandbox,
  parts: Pick<SoakWorld, "random" | "diary" | "startedAtMs">,
): SoakWorld {
  if (!shipping) throw new Error("The soak needs the stand-in");
  return {
    ...parts,
    app,
    apps,
    admin,
    service: shipping,
    shops: SHOPS.map((plan) => {
      const { clientId, clientSecret } = sandboxClient("production", plan.application);
      const state = admin.state.shops.get(`${plan.handle}.myshopify.com`)!;
      const visitor = createVisitor({ adminUrl, store: plan.handle });
      // Carriers' answers cost calls. So only the shop with its own book asks after each change; in the others a button must be pressed.
      const verifyAfterChange = plan.application === 2;
      return { ...plan, state, clientId, clientSecret, visitor, carriers: ["fedex"], verifyAfterChange };
    }),
    seenByOwner: new Set(),
    announced: new Set(),
    saidInShopify: new Map(),
    drafts: new Map(),
    said: [],
    pausedSinceMs: new Map(),
  };
}

export const gidOf = (id: number): string => `gid://shopify/Location/${id}`;
