import { createHeardDates } from "../../app/adapters/machine/heard-dates.ts";
import { assembleShippingService } from "../../app/adapters/shipping/service.ts";
import type { RunningShippingService } from "../../app/adapters/shipping/service.ts";
import type { SlotsDatabase } from "../../app/adapters/shipping/slots/slots-database.ts";
import type { Network } from "../../app/adapters/shipping/network.ts";
import { DEFAULT_VERIFICATION_WORDS } from "../../app/domain/verification/verification.ts";
import type { Clock, HeardDates, Log, Random, Services, Settings, Store } from "../../app/ports.ts";
import { createTokenStore } from "../../app/account/token-store.ts";
import { createSemaphoreLine } from "./semaphore-line.ts";
import { createRunWorkItem } from "../../app/runs/run-work-item.ts";
import { noteRun } from "../../app/triggers/note-run.ts";
import { WORK } from "../../app/worker/work.ts";

export const SETTINGS: Settings = {
  quarantineMs: 100_000,
  leaseMs: 60_000,
  absenceBelievedAfterMs: 60_000,
  locationAbsenceBelievedAfterMs: 60_000,
  listingsApartMs: 30_000,
  interactiveWaitMs: 4_000,
  verificationWords: DEFAULT_VERIFICATION_WORDS,
};

const GRACE_MS = 2_000;

export const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The real shipping adapter, with its budget's core and its tokens, over a network in memory. */
export function shippingOver(input: {
  network: Network;
  clock: Clock;
  random: Random;
  store: Store;
  log?: Log;
  dates?: HeardDates;
  openAtOnce?: boolean;
  graceMs?: number;
  slotsDatabase?: SlotsDatabase | undefined;
}): RunningShippingService {
  const { clock, random, store, log = QUIET, dates, openAtOnce = false, graceMs = GRACE_MS, slotsDatabase } = input;
  return assembleShippingService({
    network: input.network,
    line: createSemaphoreLine(),
    clock,
    random,
    log,
    dates,
    userAgent: "Origen/test",
    tokens: createTokenStore({ store, clock, random }),
    budget: { graceMs, openAtOnce },
    totalTimeoutMs: 10_000,
    slotsDatabase,
  });
}

/** Services of one process; `onWake` is whatever worker it starts. */
export function servicesOf(
  parts: Omit<Services, "wake" | "runWorkItem" | "settings" | "log" | "dates"> & {
    settings?: Settings;
    log?: Log;
    dates?: HeardDates;
  },
): Services & {
  onWake: (wake: (inMs?: number) => void) => void;
} {
  let wakeWorker: Services["wake"] = () => undefined;
  return {
    log: QUIET,
    settings: SETTINGS,
    dates: createHeardDates(parts.clock),
    ...parts,
    wake: (inMs) => wakeWorker(inMs),
    runWorkItem: createRunWorkItem(WORK, noteRun),
    onWake: (wake) => {
      wakeWorker = wake;
    },
  };
}
