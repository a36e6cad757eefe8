import { isAppError } from "../domain/errors.ts";
import { isYoung } from "../domain/moment.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { ConnectionRef, Services } from "../ports.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { noteAbsent } from "../book/believe-absence.ts";
import { requestMoved } from "../verification/request-moved.ts";
import { requestWork } from "../runs/request-work.ts";
import { dropIfOvertaken } from "../book/overtaken.ts";
import { keepReading } from "../book/keep-template.ts";
import { readOnce } from "../readings/read-once.ts";
import type { Refreshed } from "../book/refresh-address-book.ts";
import { usableConnection } from "../book/refresh-address-book.ts";

/** A template read within this needs no other look because somebody opened its page, in milliseconds. */
const FRESH_FOR_MS = 30_000;

export interface Reading {
  /** Reads the template even if it was read a moment ago. */
  force?: boolean;
  /** For a caller who cannot wait as long as a call may take, in milliseconds. */
  withinMs?: number;
}

/**
 * Reads an origin's template behind the page that shows what we last knew. Where it is gone or is not as we left it, the origin's
 * own run looks at it; nothing is decided here.
 */
export async function refreshOrigin(
  services: Services,
  { shop, locationId, ...how }: { shop: string; locationId: string } & Reading,
): Promise<Refreshed> {
  const { store } = services;
  const connection = await usableConnection(services, shop);
  if (typeof connection === "string") return connection;
  const link = await store.links.find({ shop, connectionId: connection.id, locationId });
  if (!link || link.missingSinceMs !== null) return "fresh";
  return refreshTemplate(services, { shop, templateId: link.templateId, ...how });
}

/** The same for any template of the account. */
export async function refreshTemplate(
  services: Services,
  { shop, templateId, force = false, withinMs }: { shop: string; templateId: string } & Reading,
): Promise<Refreshed> {
  const { store, clock } = services;
  const connection = await usableConnection(services, shop);
  if (typeof connection === "string") return connection;
  const key = { shop, connectionId: connection.id, templateId };
  const known = await store.templates.find(key);
  if (!known || (!force && isYoung(clock, known.readAtMs, FRESH_FOR_MS))) return "fresh";
  const read = () => readTemplateThere(services, { connection, templateId, withinMs });
  // Who may leave before the answer comes asks by himself.
  if (withinMs !== undefined) return read();
  const { id, version } = connection;
  return readOnce({ store, key: `template ${id} ${version} ${templateId}`, anew: force }, read);
}

/** Answers that are overtaken by writes or other readings, one after another, before the page shows what they left. */
const MOST_READINGS = 3;

async function readTemplateThere(
  services: Services,
  reading: { connection: ConnectionRecord; templateId: string; withinMs: number | undefined },
): Promise<Refreshed> {
  const { clock, log } = services;
  const { connection, templateId, withinMs } = reading;
  const { shop } = connection;
  const patience = new AbortController();
  const cancel = withinMs === undefined ? () => undefined : clock.after(withinMs, () => patience.abort());
  try {
    for (let count = 0; count < MOST_READINGS; count += 1)
      if (await readAndKeep(services, { ref: refOf(connection), templateId, signal: patience.signal })) break;
    services.wake();
    return "fresh";
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.warn({ shop, kind: error.kind, requestId: error.requestId }, "a template could not be read");
    return "unreachable";
  } finally {
    cancel();
  }
}

/** False when the answer was overtaken: what was asked before a write of ours landed, and came after its answer, knows less. */
async function readAndKeep(
  services: Services,
  { ref, templateId, signal }: { ref: ConnectionRef; templateId: string; signal: AbortSignal },
): Promise<boolean> {
  const { store, shipping } = services;
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  const known = await store.templates.find(key);
  const askedAtMs = services.clock.monotonicMs();
  const answer = await shipping.account(ref).get(templateId, { priority: "interactive", signal });
  return store.transaction(ref.shop, async (tables) => {
    if (answer.kind === "found") {
      const row = await keepReading(services, tables, { ref, template: answer.value, known });
      if (!row) return false;
      await requestMoved(services, tables, { ref, template: row.template });
      return true;
    }
    if (await dropIfOvertaken(tables, { ref, templateId, known, template: null })) return false;
    const { believed } = await noteAbsent(services, tables, { ...key, askedAtMs });
    const link = await tables.links.find(key);
    // What stands for a location is its own run's to note as gone; what stands for none is the reconcile's, by its listings.
    if (link) await requestWork(services, tables, { shop: ref.shop, kind: "location", key: link.locationId });
    else if (believed) await requestWork(services, tables, { shop: ref.shop, kind: "reconcile", key: "shop" });
    return true;
  });
}
