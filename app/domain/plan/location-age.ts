import type { LocationRecord, ShopifyLocation } from "../records.ts";

/**
 * Shopify's answers may come from a replica that is behind what it has told before, by seconds or by ten minutes. Each answer about a
 * location says when it changed last, and so do webhooks. Pure; the times are Shopify's, and are compared with each other alone.
 */

/** How long a newer answer is awaited: longer than a replica is behind. Then a clock of Shopify's was wrong, or a webhook. */
const AWAITED_MS = 15 * 60_000;

const SOONEST_MS = 5_000;
const LATEST_MS = 120_000;

/** A webhook that tells of a later time than this from now is wrong, or our clock is: its time is not taken. */
const MAY_BE_AHEAD_MS = 60_000;

type Known = Pick<LocationRecord, "shopifyAtMs" | "shopifyToldMs" | "behindSinceMs">;

/** Whether an answer is older than the state that is kept, or than the one that a webhook told of. Equal is not older. */
export function isBehind({ shopifyAtMs, shopifyToldMs }: Known, found: Pick<ShopifyLocation, "shopifyAtMs">): boolean {
  return [shopifyAtMs, shopifyToldMs].some((thanMs) => thanMs !== null && isOlder(found.shopifyAtMs, thanMs));
}

/** Shopify may say the second alone in an answer, and more in a webhook. */
function isOlder(atMs: number, thanMs: number): boolean {
  return atMs < (atMs % 1_000 === 0 ? Math.floor(thanMs / 1_000) * 1_000 : thanMs);
}

/** Since when a newer answer is awaited; null once it has been for too long, and the older one is believed. */
export function awaitedSinceMs({ behindSinceMs }: Pick<Known, "behindSinceMs">, nowMs: number): number | null {
  const sinceMs = behindSinceMs ?? nowMs;
  // Dated in the future it was by a wrong clock.
  return sinceMs <= nowMs && nowMs - sinceMs < AWAITED_MS ? sinceMs : null;
}

/** When Shopify is asked again: after some seconds, and the longer it lasts the later. */
export function askAgainAtMs(sinceMs: number, nowMs: number): number {
  const restMs = Math.min(LATEST_MS, Math.max(SOONEST_MS, (nowMs - sinceMs) / 2));
  return Math.min(nowMs + Math.round(restMs), Math.max(nowMs + SOONEST_MS, sinceMs + AWAITED_MS));
}

/**
 * When to ask again for a location that has left and of which a webhook has told since: it may be back, and Shopify's answers behind. Null
 * where no webhook has, or so long ago that an answer would show it.
 */
export function returnAskedAtMs(known: Known & Pick<LocationRecord, "deletedAtMs">, nowMs: number): number | null {
  if (known.deletedAtMs === null || known.behindSinceMs === null) return null;
  const sinceMs = awaitedSinceMs(known, nowMs);
  return sinceMs === null ? null : askAgainAtMs(sinceMs, nowMs);
}

/** When the location changed last, by a webhook's `updated_at`; null where it does not say so, or cannot be right. */
export function toldChangeMs(payload: unknown, nowMs: number): number | null {
  if (typeof payload !== "object" || payload === null || !("updated_at" in payload)) return null;
  const atMs = typeof payload.updated_at === "string" ? Date.parse(payload.updated_at) : NaN;
  return atMs >= 0 && atMs <= nowMs + MAY_BE_AHEAD_MS ? atMs : null;
}

/** Whether a webhook's time is news: later than all that is known. */
export function isNewerTold({ shopifyAtMs, shopifyToldMs }: Known, toldMs: number): boolean {
  return toldMs > Math.max(shopifyAtMs ?? 0, shopifyToldMs ?? 0);
}
