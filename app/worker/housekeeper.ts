import type { Services } from "../ports.ts";
import { askDate } from "../runs/ask-date.ts";
import { dateIsSure } from "../runs/date-is-sure.ts";
import { forgetOld } from "../shop/forget-old.ts";

/**
 * Drops what is too old, shop after shop, beside the worker's runs and whether or not these can finish: a service that is down for weeks
 * must not fill the database. Where the date is not sure nothing is dropped, and the log says so.
 */
export interface Housekeeper {
  /** At each turn of the worker: begins when it is time. Never rejects. */
  look(): void;
  /** Leaves the rest for the next process. */
  stop(): Promise<void>;
}

const EVERY_MS = 6 * 3_600_000;
/** While the date is not sure: a server may be heard soon. */
const AGAIN_MS = 15 * 60_000;
/** Between two shops, so that it is never all that happens. */
const REST_MS = 50;

export function createHousekeeper(services: Services): Housekeeper {
  const { clock, log } = services;
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
    let gone = 0;
    for (const { shop } of await services.store.shops.list({})) {
      if (stopped()) return;
      try {
        gone += await forgetOld(services, { shop, stopped });
      } catch (error) {
        log.error({ shop, error }, "what is old could not be dropped");
      }
      await clock.sleep(REST_MS, closing.signal).catch(() => undefined);
    }
    nextMs = clock.monotonicMs() + EVERY_MS;
    if (gone > 0) log.info({ gone }, "what is old was dropped");
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
