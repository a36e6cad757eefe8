import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../app/adapters/machine/random.ts";
import { openJournal, type Journal } from "../../scripts/conformance/journal.ts";
import { runConformance, type Ended } from "../../scripts/conformance/run.ts";
import { openService } from "../../scripts/conformance/service.ts";
import type { ShippingService as StandIn } from "../sandbox/shipping/server.ts";
import { startShippingService } from "../sandbox/shipping/server.ts";
import type { BehaviourChange } from "../sandbox/shipping/dialect/behaviour.ts";
import { CARRIERS } from "./dialects.ts";
import { createFastClock, FASTER } from "./fast-clock.ts";

/** A run against a stand-in over true HTTP, on a fast clock. */

export const SECRET = "test-secret-1";
const FOLLOW_MS = 30_000;
const LATE_MS = 60_000;
const ACCOUNT = "account-1";

export interface Asked {
  standIn: StandIn;
  journal: Journal;
  folder: string;
  run(over?: { cleanOnly?: boolean; signal?: AbortSignal }): Promise<Ended>;
  end(): Promise<void>;
}

export async function standInOf(behaviour: BehaviourChange): Promise<Asked> {
  const standIn = await startShippingService({ ...behaviour, enforceRate: false, keepRequests: 2_000 });
  const folder = mkdtempSync(join(tmpdir(), "origen-conformance-"));
  let runs = 0;
  return {
    standIn,
    journal: openJournal(join(folder, "journal.jsonl"), ACCOUNT),
    folder,
    async run(over = {}) {
      const clock = createFastClock();
      const service = openService({
        baseUrl: standIn.testUrl,
        userAgent: "Origen/0.0.0 conformance",
        clientId: "test-client-1",
        clientSecret: SECRET,
        clock,
        random: createRandom(),
        graceMs: 0,
        openAtOnce: true,
        totalMs: 10_000 * FASTER,
      });
      runs += 1;
      try {
        return await runConformance({
          service,
          // Each run reads the journal from its file, as a process does.
          journal: openJournal(join(folder, "journal.jsonl"), ACCOUNT),
          clock,
          mark: `ORIGEN-0000000${runs}`,
          carriers: CARRIERS,
          lateMs: LATE_MS,
          followMs: FOLLOW_MS,
          signal: over.signal ?? new AbortController().signal,
          tell: () => undefined,
          cleanOnly: over.cleanOnly,
        });
      } finally {
        await service.close();
      }
    },
    async end() {
      await standIn.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
