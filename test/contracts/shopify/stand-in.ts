import type { Fetch } from "../../../app/adapters/shopify/http.ts";
import type { ShopifyAdmin, ShopifyLocation } from "../../../app/ports.ts";

/** What a stand-in of Shopify's Admin API gives its battery. */
export interface StandIn {
  /** The port, with a session where the stand-in knows sessions. */
  shopify: ShopifyAdmin;
  shop: string;
  /** Makes a location; its id. */
  put(location: Pick<ShopifyLocation, "name" | "isActive">): Promise<string>;
  remove(locationId: string): Promise<void>;
  uninstall(): Promise<void>;
  /** The shop installs the app again, and its owner visits a page of it. */
  comeBack(): Promise<void>;
  /** Shopify answers as for a shop that has not paid, until it has. */
  freeze(frozen: boolean): Promise<void>;
  /** What Flow has got of the shop, in order. */
  told(): { trigger: string; id: string }[];
  /** The stand-in's time. */
  nowMs(): number;
  /** Lets time pass until the work has ended. */
  run<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One that speaks HTTP. */
export interface WireStandIn extends StandIn {
  fetch: Fetch;
  /** Of the app, which the token endpoint asks for. */
  app: { apiKey: string; apiSecret: string };
  /** What a visit's exchange gives. */
  signIn(): Promise<{ accessToken: string; refreshToken: string }>;
  /** Every access token of the shop ends; refresh tokens stay good. */
  endAccess(): Promise<void>;
}
