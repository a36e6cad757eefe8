import { host } from "./host.ts";

/** How the block tells the action which location it is opened for; the two share nothing but the extension's storage. */

const KEY = "opened";

/** Longer than it takes to open, shorter than anybody comes back. */
const FRESH_FOR_MS = 10_000;

interface Opened {
  locationId: string;
  atMs: number;
}

/** Never in the way: without storage the action begins as it does from the menu. */
export function handOver(locationId: string): Promise<void> {
  return host.shopify.storage.set(KEY, { locationId, atMs: Date.now() }).catch(() => undefined);
}

export async function takeOver(): Promise<string | null> {
  const opened = (await host.shopify.storage.get(KEY).catch(() => undefined)) as Opened | undefined;
  return opened && Date.now() - opened.atMs < FRESH_FOR_MS ? opened.locationId : null;
}
