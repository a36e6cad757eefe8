import { afterEach, beforeEach, describe } from "vitest";
import { adminContract } from "./shopify/admin.ts";
import type { StandIn, WireStandIn } from "./shopify/stand-in.ts";
import { tokensContract } from "./shopify/tokens.ts";

/**
 * What the stand-ins of Shopify's Admin API promise: as the app's port sees them, and, of those that speak HTTP, what stands on the wire
 * (the token endpoint, and the queries of `app/adapters/shopify/queries.ts` under Shopify's schema of 2026-10).
 */

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
