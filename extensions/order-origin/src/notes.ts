import { host } from "./host.ts";

/**
 * What block and action tell each other. An action does not know the block of its page, nor a block when an action closes, and no event
 * of Shopify's comes to either; what they share is the extension's storage in this browser, which reaches every open order, too.
 */

const OPENED = "opened";

/** Longer than the action takes to open, shorter than anybody comes back. */
const FRESH_FOR_MS = 10_000;

interface Opened {
  locationId: string;
  atMs: number;
}

/** Which location the action is opened for. Never in the way: without storage it begins as it does from the menu. */
export function handOver(locationId: string): Promise<void> {
  return host.shopify.storage.set(OPENED, { locationId, atMs: Date.now() }).catch(() => undefined);
}

export async function takeOver(): Promise<string | null> {
  const opened = (await host.shopify.storage.get(OPENED).catch(() => undefined)) as Opened | undefined;
  return opened && Date.now() - opened.atMs < FRESH_FOR_MS ? opened.locationId : null;
}

const changedKey = (locationId: string) => `changed ${locationId}`;

/** Something was asked of a location's origin. @returns when, in milliseconds. */
export async function noteChange(locationId: string): Promise<number> {
  const atMs = Date.now();
  await host.shopify.storage.set(changedKey(locationId), atMs).catch(() => undefined);
  return atMs;
}

/** When something was last asked of one of these, in milliseconds; 0: never, or nobody knows. */
export async function lastChange(locationIds: string[]): Promise<number> {
  const noted = await host.shopify.storage.getMany(locationIds.map(changedKey)).catch(() => []);
  return Math.max(0, ...noted.map((atMs) => (typeof atMs === "number" ? atMs : 0)));
}
