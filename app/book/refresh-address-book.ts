import { restsUntilMs } from "../domain/backoff.ts";
import { isAppError } from "../domain/errors.ts";
import { isYoung } from "../domain/moment.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import { isShut } from "../domain/shop-access.ts";
import type { Services } from "../ports.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { beginListing } from "./number-readings.ts";
import { keepBook, type Within } from "./read-book.ts";
import { readOnce } from "../readings/read-once.ts";

/** `fresh`: read just now, or so lately that asking again is waste. `unreachable`: what is shown stays as old as it is. */
export type Refreshed = "fresh" | "unreachable" | "not_connected";

/** A book read within this needs no other look because somebody opened a page, in milliseconds. */
const FRESH_FOR_MS = 15_000;

/** Reads the account's address book behind the page that shows what we last knew. Writes nothing there. */
export async function refreshAddressBook(
  services: Services,
  { shop, force = false }: { shop: string; force?: boolean },
): Promise<Refreshed> {
  const { store, clock } = services;
  const connection = await usableConnection(services, shop);
  if (typeof connection === "string") return connection;
  if (!force && connection.bookReadAtMs !== null && isYoung(clock, connection.bookReadAtMs, FRESH_FOR_MS))
    return "fresh";
  const { id, version } = connection;
  // The button is pressed to see what was written just now.
  return readOnce({ store, key: `book ${id} ${version}`, anew: force }, () => readBookThere(services, connection));
}

async function readBookThere(services: Services, connection: ConnectionRecord): Promise<Refreshed> {
  const { store, shipping, log } = services;
  const { shop } = connection;
  const ref = refOf(connection);
  const began = await beginListing(services, ref);
  try {
    const listing = await shipping.account(ref).listAll({ priority: "interactive" });
    const within: Within = (work) => store.transaction(shop, work);
    await keepBook(services, within, { ref, ...listing, began });
    services.wake();
    return "fresh";
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.warn({ shop, kind: error.kind, requestId: error.requestId }, "the address book could not be read");
    return "unreachable";
  }
}

/**
 * The connection to read over; while it rests after failures the worker's probe goes first, and no page. For a shop that Shopify does not
 * let us into nothing is sent, whoever looks.
 */
export async function usableConnection(
  { store, clock }: Services,
  shop: string,
): Promise<ConnectionRecord | "not_connected" | "unreachable"> {
  const connection = await store.connections.find({ shop, current: true });
  if (connection?.state !== "active") return "not_connected";
  const record = await store.shops.find({ shop });
  if (!record || isShut(record)) return "unreachable";
  return restsUntilMs(connection.backoffUntilMs, clock.nowMs()) === null ? connection : "unreachable";
}
