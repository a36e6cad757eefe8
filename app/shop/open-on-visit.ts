import { shutReason } from "../domain/shop-access.ts";
import type { Services } from "../ports.ts";
import { knownShop } from "../readings/known-shop.ts";
import { welcomeShop } from "./welcome-shop.ts";

/**
 * Somebody opens a page of a shop that Shopify did not let us into: their visit may bring a new session, which opens the shop.
 * `newSession` resolves to whether one was stored.
 */
export async function openOnVisit(
  services: Services,
  { shop, newSession }: { shop: string; newSession: () => Promise<boolean> },
): Promise<void> {
  const known = await knownShop(services, { shop });
  if (!known || shutReason(known.shop) === null) return;
  if (await newSession()) await welcomeShop(services, { shop });
}
