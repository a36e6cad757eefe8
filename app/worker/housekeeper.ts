import type { Services } from "../ports.ts";
import { askDate } from "../runs/ask-date.ts";
import { dateIsSure } from "../runs/date-is-sure.ts";
import { forgetOld } from "../shop/forget-old.ts";

/**
 * Drops rows that are too old, shop after shop. It works beside the worker's runs and does not depend on their success, because a service
 * that is down for weeks must not fill the database. While the date is not sure it drops nothing and logs why.
 */
export interface Housekeeper {
  /** Called at each turn of the worker; begins when it is time. Never rejects. */
  look(): void;
  /** Stops after the current step; the next process does the rest. */
  stop(): Promise<void>;
}

const EVERY_MS = 6 * 3_600_000;
/** How soon to try again while the date is not sure: a server may be heard soon. */
const AGAIN_MS = 15 * 60_000;
/** Of several processes, which one is at it, and when one was through. */
const DROPPING = "dropping what is old";
const DROPPED = "dropped what is old";
const NOTE_EVERY_MS = 60_000;
/** One shop's rows are dropped within seconds, unless its process died. */
const DIED_MS = 10 * 60_000;
/** The rest between two shops, so that other work has its turn. */
const REST_MS = 50;

export function createHousekeeper(services: Services): Housekeeper {
  const { clock, log, store } = services;
  let nextMs = clock.monotonicMs() + AGAIN_MS;
  let underWay: Promise<void> | null = null;
  const closing = new AbortController();
  const stopped = () => closing.signal.aborted || !dateIsSure(services);

  const keep = async (): Promise<void> => {
    await askDate(services);
    if (!dateIsSure(services)) {
      const said = { nowMs: clock.nowMs(), machineMs: clock.machineMs(), servers: services.dates.opinions() };
      log.warn(said, "the date is not sure: nothing old is dropped");
      return;
    }
    if (!store.shared) return void (await drop(async () => undefined));
    // One of several processes drops for all. One that dies or stops meanwhile has not done it.
    if (await store.shared.wasBegun(DROPPED, EVERY_MS - AGAIN_MS)) return;
    const chore = await store.shared.begin(DROPPING, DIED_MS);
    if (!chore) return;
    let notedMs = clock.monotonicMs();
    const goOn = async () => {
      if (clock.monotonicMs() - notedMs < NOTE_EVERY_MS) return;
      notedMs = clock.monotonicMs();
      await chore.goesOn();
    };
    try {
      if (await drop(goOn)) await store.shared.isOurs(DROPPED, 0);
    } finally {
      await chore.over();
    }
  };

  /** Resolves to whether all shops were looked through. */
  const drop = async (goOn: () => Promise<void>): Promise<boolean> => {
    let gone = 0;
    for (const { shop } of await store.shops.list({})) {
      if (stopped()) return false;
      await goOn();
      try {
        gone += await forgetOld(services, { shop, stopped });
      } catch (error) {
        log.error({ shop, error }, "what is old could not be dropped");
      }
      await clock.sleep(REST_MS, closing.signal).catch(() => undefined);
    }
    nextMs = clock.monotonicMs() + EVERY_MS;
    if (gone > 0) log.info({ gone }, "what is old was dropped");
    return true;
  };

  return {
    look() {
      if (underWay || closing.signal.aborted || clock.monotonicMs() < nextMs) return;
      nextMs = clock.monotonicMs() + AGAIN_MS;
      underWay = keep()
        .catch((error: unknown) => log.error({ error }, "what is old could not be dropped"))
        .finally(() => {
          underWay = null;
        });
    },
    async stop() {
      closing.abort();
      await underWay;
    },
  };
}
