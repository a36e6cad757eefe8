import { host } from "./host.ts";

/**
 * How the block and the action tell each other of changes. An action does not know its page's block, a block is not told when an action
 * closes, and Shopify sends neither an event. They share the extension's storage in this browser, which also reaches every other open
 * order.
 */

const OPENED = "opened";

/** How long a notice that the action was opened is valid: longer than the action takes to open, shorter than anybody takes to come back. */
const FRESH_FOR_MS = 10_000;

interface Opened {
  locationId: string;
  atMs: number;
}

/** Never throws: a notice that cannot be stored is lost. */
function store(key: string, value: unknown): Promise<void> {
  return host.shopify.storage.set(key, value).catch(() => undefined);
}

function stored(key: string): Promise<unknown> {
  return host.shopify.storage.get(key).catch(() => undefined);
}

/** Stores for which location the action is opened. Without storage the action begins as it does from the menu. */
export function handOver(locationId: string): Promise<void> {
  return store(OPENED, { locationId, atMs: Date.now() });
}

export async function takeOver(): Promise<string | null> {
  const opened = (await stored(OPENED)) as Opened | undefined;
  return opened && Date.now() - opened.atMs < FRESH_FOR_MS ? opened.locationId : null;
}

const changedKey = (locationId: string) => `changed ${locationId}`;

/** Stores that something was requested for a location's origin. @returns when, in milliseconds. */
export async function announceChange(locationId: string): Promise<number> {
  const atMs = Date.now();
  await store(changedKey(locationId), atMs);
  return atMs;
}

/** When something was last requested for one of these locations, in milliseconds; 0 when never, or unknown. */
export function lastChange(locationIds: string[]): Promise<number> {
  return Promise.all(locationIds.map((id) => stored(changedKey(id)))).then((times) =>
    Math.max(0, ...times.map((atMs) => Number(atMs ?? 0))),
  );
}
