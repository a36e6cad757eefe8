import { restsUntilMs } from "../domain/backoff.ts";
import { isAppError } from "../domain/errors.ts";
import { isYoung } from "../domain/moment.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import { isShut } from "../domain/shop-access.ts";
import type { Services } from "../ports.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { beginListing } from "./number-readings.ts";
import type { GetTemplate } from "./left-out.ts";
import { keepBook } from "./read-book.ts";
import type { Within } from "./read-book.ts";
import { isBeingRead, readOnce } from "../readings/read-once.ts";

/**
 * `fresh`: read just now, or so lately that asking again is waste. `unreachable`: what is shown stays as old as it is. `under_way`: it is
 * still being read; who asks again, not by force, is told how it ended. `too_long`: the account holds more than is read.
 */
export type Refreshed = "fresh" | "unreachable" | "too_long" | "not_connected" | "under_way";

/** A book read within this needs no other look because somebody opened a page, in milliseconds. */
const FRESH_FOR_MS = 15_000;

/**
 * Reads the account's address book behind the page that shows what we last knew. Writes nothing there. Answers after `waitMs` at most,
 * where that is given, because a book of thousands takes minutes; the reading goes on.
 */
export async function refreshAddressBook(
  services: Services,
  { shop, force = false, waitMs }: { shop: string; force?: boolean; waitMs?: number },
): Promise<Refreshed> {
  const { store, clock } = services;
  const connection = await usableConnection(services, shop);
  if (typeof connection === "string") return connection;
  const { id, version } = connection;
  const which = { store, key: `book ${id} ${version}` };
  const isFresh = connection.bookReadAtMs !== null && isYoung(clock, connection.bookReadAtMs, FRESH_FOR_MS);
  if (!force && isFresh && !isBeingRead(which)) return "fresh";
  // The button is pressed to see what was written just now.
  const reading = readOnce({ ...which, anew: force }, () => readBookThere(services, connection));
  return waitMs === undefined ? reading : soon(services, { shop, reading, waitMs });
}

async function soon(
  { clock, log }: Services,
  { shop, reading, waitMs }: { shop: string; reading: Promise<Refreshed>; waitMs: number },
): Promise<Refreshed> {
  let cancel = () => {};
  const late = new Promise<"under_way">((resolve) => {
    cancel = clock.after(waitMs, () => resolve("under_way"));
  });
  const first = await Promise.race([reading, late]).finally(cancel);
  // Nobody waits for it any more.
  if (first === "under_way")
    reading.catch((error: unknown) => log.error({ shop, error }, "the address book could not be kept"));
  return first;
}

async function readBookThere(services: Services, connection: ConnectionRecord): Promise<Refreshed> {
  const { store, shipping, log } = services;
  const { shop } = connection;
  const ref = refOf(connection);
  const began = await beginListing(services, ref);
  try {
    const account = shipping.account(ref);
    const listing = await account.listAll({ priority: "interactive" });
    const get: GetTemplate = (templateId) => account.get(templateId, { priority: "interactive" });
    const within: Within = (work) => store.transaction(shop, work);
    await keepBook(services, within, { ref, ...listing, began, get, onFailure: "keep" });
    services.wake();
    return "fresh";
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.warn({ shop, kind: error.kind, requestId: error.requestId }, "the address book could not be read");
    return error.kind === "book_too_long" ? "too_long" : "unreachable";
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
