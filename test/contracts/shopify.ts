import { afterEach, beforeEach, describe } from "vitest";
import type { Fetch } from "../../app/adapters/shopify/http.ts";
import type { ShopifyAdmin, ShopifyLocation } from "../../app/ports.ts";
import { adminContract } from "./shopify/admin.ts";
import { tokensContract } from "./shopify/tokens.ts";

/**
 * What the stand-ins of Shopify's Admin API promise: as the app's port sees them, and, of those that speak HTTP, what stands on the wire
 * (the token endpoint, and the queries of `app/adapters/shopify/queries.ts` under Shopify's schema of 2026-10).
 */

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

/** `start` gives a stand-in of its own to each test, without locations. */
export function shopifyContract(name: string, start: () => Promise<StandIn>): void {
  describe(`the contract of Shopify's stand-in: ${name}`, () => adminContract(startedEach(start)));
}

export function shopifyWireContract(name: string, start: () => Promise<WireStandIn>): void {
  describe(`the contract of Shopify's stand-in, on the wire: ${name}`, () => tokensContract(startedEach(start)));
}

function startedEach<S extends StandIn>(start: () => Promise<S>): () => S {
  let standIn: S;
  beforeEach(async () => {
    standIn = await start();
  });
  afterEach(() => standIn.close());
  return () => standIn;
}
