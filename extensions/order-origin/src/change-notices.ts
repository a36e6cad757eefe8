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

/** Never in the way: what cannot be stored was not said. */
function store(key: string, value: unknown): Promise<void> {
  return host.shopify.storage.set(key, value).catch(() => undefined);
}

function stored(key: string): Promise<unknown> {
  return host.shopify.storage.get(key).catch(() => undefined);
}

/** Which location the action is opened for; without storage it begins as it does from the menu. */
export function handOver(locationId: string): Promise<void> {
  return store(OPENED, { locationId, atMs: Date.now() });
}

export async function takeOver(): Promise<string | null> {
  const opened = (await stored(OPENED)) as Opened | undefined;
  return opened && Date.now() - opened.atMs < FRESH_FOR_MS ? opened.locationId : null;
}

const changedKey = (locationId: string) => `changed ${locationId}`;

/** Something was asked of a location's origin. @returns when, in milliseconds. */
export async function announceChange(locationId: string): Promise<number> {
  const atMs = Date.now();
  await store(changedKey(locationId), atMs);
  return atMs;
}

/** When something was last asked of one of these, in milliseconds; 0: never, or nobody knows. */
export function lastChange(locationIds: string[]): Promise<number> {
  return Promise.all(locationIds.map((id) => stored(changedKey(id)))).then((times) =>
    Math.max(0, ...times.map((atMs) => Number(atMs ?? 0))),
  );
}
