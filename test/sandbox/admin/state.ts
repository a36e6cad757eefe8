// What a Shopify that consists of a few stores remembers. All in memory: a sandbox begins anew each time.
import type { AppConfig } from "./app-config.ts";
import type { Words } from "./words.ts";

export interface LocationAddress {
  address1: string | null;
  address2: string | null;
  city: string | null;
  provinceCode: string | null;
  province: string | null;
  countryCode: string;
  zip: string | null;
  phone: string | null;
}

export interface LocationRecord {
  id: number;
  name: string;
  isActive: boolean;
  isFulfillmentService: boolean;
  fulfillsOnlineOrders: boolean;
  address: LocationAddress;
  createdAtMs: number;
  updatedAtMs: number;
  deactivatedAtMs: number | null;
}

export interface FulfillmentOrderRecord {
  id: number;
  status: "OPEN" | "IN_PROGRESS" | "CLOSED" | "ON_HOLD" | "SCHEDULED" | "CANCELLED" | "INCOMPLETE";
  locationId: number;
  /** Shopify copies name and address when work begins; until then they follow the location. */
  snapshot: { name: string; address: LocationAddress } | null;
  lines: { title: string; quantity: number }[];
}

export interface OrderRecord {
  id: number;
  number: number;
  createdAtMs: number;
  customerName: string;
  destination: string;
  totalMxn: string;
  fulfillmentOrders: FulfillmentOrderRecord[];
}

export interface Installation {
  /** A new one at each install, so that no token outlives its installation. */
  id: string;
  grantedOptionalScopes: Set<string>;
}

export interface ShopState {
  id: number;
  handle: string;
  domain: string;
  name: string;
  email: string;
  ianaTimezone: string;
  locations: Map<number, LocationRecord>;
  orders: OrderRecord[];
  installation: Installation | null;
}

export interface AdminState {
  config: AppConfig;
  credentials: { apiKey: string; apiSecret: string };
  shops: Map<string, ShopState>;
  /** Shopify's approval of the app to read protected customer data, which reading Order needs. */
  protectedDataApproved: boolean;
  nextLocationId: number;
  /** What the admin says, in the language of the moment. */
  readonly words: Words;
  /** Whether each page has the bar with which a visitor plays. */
  hasPlayBar: boolean;
}

export function shopByHandle(state: AdminState, handle: string): ShopState | undefined {
  return state.shops.get(`${handle}.myshopify.com`);
}

/** The scopes that an API call of the app has in this store: the required ones, and those of the optional ones that the owner granted. */
export function grantedScopes(state: AdminState, shop: ShopState): string[] {
  if (!shop.installation) return [];
  const optional = state.config.optionalScopes.filter((scope) => shop.installation?.grantedOptionalScopes.has(scope));
  return [...state.config.scopes, ...optional];
}
