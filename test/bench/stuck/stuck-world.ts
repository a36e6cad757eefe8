import type { LocationRecord } from "../../sandbox/admin/state.ts";
import type { StoreInput } from "../../sandbox/admin/server.ts";
import { mapShops } from "../../sandbox/play/mapped-shops.ts";
import type { PlayedShop } from "../../sandbox/play/mapped-shops.ts";
import * as pages from "../../sandbox/play/pages.ts";
import { createVisitor } from "../../sandbox/play/visitor.ts";
import type { FaultRule } from "../../sandbox/shipping/options.ts";
import { sandboxClient } from "../../sandbox/shipping/options.ts";
import type { ShippingService } from "../../sandbox/shipping/server.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";

/** Shops of which one thing at the service never works, and everything else does. */

/** What the service says of it. */
export const WORDS = "Algo se rompió de nuestro lado";

export const STUCK_MODES = ["get", "update", "list", "slow-list"] as const;
export type StuckMode = (typeof STUCK_MODES)[number];

interface ShopPlan {
  handle: string;
  locations: number;
  application: number;
  /** Whether its first location's template is the stuck one. */
  stuck: boolean;
}

/** Ten healthy ones beside a stuck one; a shop on the same credentials with one location; and one with two, one of them stuck. */
const SHOPS: readonly ShopPlan[] = [
  { handle: "once", locations: 11, application: 1, stuck: true },
  { handle: "una", locations: 1, application: 1, stuck: false },
  { handle: "dos", locations: 2, application: 2, stuck: true },
];

export interface StuckShop extends PlayedShop {
  plan: ShopPlan;
  /** Null where nothing of it is stuck by itself, as with the list. */
  stuckTemplateId: string | null;
  healthy: LocationRecord[];
}

export interface StuckWorld {
  sandbox: Sandbox;
  service: ShippingService;
  mode: StuckMode;
  shops: StuckShop[];
  /** Has the service begin to fail; gives what counts how often it was asked in vain. */
  getStuck(): () => number;
  /** Request ids of the calls of what is stuck, as the service got them. */
  stuckRequestIds(): Set<string>;
}

export async function startStuckWorld(mode: StuckMode, { small = false } = {}): Promise<StuckWorld> {
  const plans = small ? SHOPS.map((plan) => ({ ...plan, locations: Math.min(plan.locations, 3) })) : SHOPS;
  const sandbox = await startSandbox({
    stores: plans.map(storeOf),
    shipping: { clients: plans.length, keepRequests: 20_000 },
    appEnv: { LOG_LEVEL: "warn" },
  });
  try {
    const service = sandbox.shipping!;
    const played = plans.map((plan) => ({ plan, ...shopOf(sandbox, plan) }));
    await mapShops(played);
    const shops = await Promise.all(played.map((shop) => withTemplates(shop, mode)));
    return { sandbox, service, mode, shops, ...stuckness({ service, mode, shops }) };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

function storeOf({ handle, locations }: ShopPlan): StoreInput {
  return {
    handle,
    name: `Tienda ${handle}`,
    locations: Array.from({ length: locations }, (_one, index) => ({
      name: `Bodega ${handle} ${index + 1}`,
      fulfillsOnlineOrders: true,
      address: { ...addressOf(`Avenida Vallarta ${handle}`, 100 + index), phone: "+523336150000" },
    })),
  };
}

/** In Shopify's own delimited form, so that a move needs nobody's confirmation. */
export function addressOf(street: string, number: number) {
  return {
    address1: `${street} \u2060${number}`,
    address2: " \u2060Americana",
    city: "Guadalajara",
    provinceCode: "JAL",
    countryCode: "MX",
    zip: "44160",
  };
}

function shopOf({ admin, adminUrl }: Sandbox, { handle, application }: ShopPlan): PlayedShop {
  const state = admin.state.shops.get(`${handle}.myshopify.com`)!;
  const visitor = createVisitor({ adminUrl, store: handle });
  const { clientId, clientSecret } = sandboxClient("production", application);
  const credentials = { clientId, clientSecret, scope: null };
  return { name: state.name, state, visitor, ...credentials, carriers: [], verifyAfterChange: false };
}

async function withTemplates(shop: PlayedShop & { plan: ShopPlan }, mode: StuckMode): Promise<StuckShop> {
  const locations = [...shop.state.locations.values()];
  const [first] = locations;
  const ofOne = mode === "get" || mode === "update";
  if (!ofOne || !shop.plan.stuck) return { ...shop, stuckTemplateId: null, healthy: locations };
  const { template } = await pages.origin(shop, first!.id);
  return { ...shop, stuckTemplateId: template!.templateId, healthy: locations.slice(1) };
}

function stuckness({ service, mode, shops }: Pick<StuckWorld, "service" | "mode" | "shops">) {
  const ids = shops.flatMap(({ stuckTemplateId }) => stuckTemplateId ?? []);
  const broken = { kind: "error-before", status: 500, message: WORDS } as const;
  const rules: Record<StuckMode, FaultRule[]> = {
    get: ids.map((templateId) => ({ ...broken, operations: ["get"], templateId })),
    update: ids.map((templateId) => ({ ...broken, operations: ["update"], templateId })),
    list: [{ ...broken, operations: ["list"] }],
    // Longer than a call may take.
    "slow-list": [{ kind: "slow", operations: ["list"], delayMs: 12_000, way: "out" }],
  };
  const paths = { get: "GET", update: "PATCH", list: "GET", "slow-list": "GET" } as const;
  const isStuck = ({ method, url }: { method: string; url: string }) =>
    method === paths[mode] &&
    (ids.length > 0 ? ids.some((id) => url.endsWith(id)) : /address_templates(\?|$)/.test(url));
  let from = 0;
  const stuckRequests = () => service.requests().slice(from).filter(isStuck);
  return {
    getStuck() {
      from = service.requests().length;
      service.faults.set(rules[mode]);
      return () => stuckRequests().length;
    },
    stuckRequestIds: () => new Set(stuckRequests().map(({ rawHeaders }) => headerOf(rawHeaders, "x-request-id"))),
  };
}

function headerOf(rawHeaders: readonly string[], name: string): string {
  return rawHeaders[rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name) + 1] ?? "";
}
