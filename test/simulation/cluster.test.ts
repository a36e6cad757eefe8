import { expect, test } from "vitest";
import { runBatch } from "./run-batch.ts";

/** A short form of `npm run simulate -- --cluster`. */
const CLUSTERS = 30;

test("stories of processes that share a database alone: nothing is counted", async () => {
  const batch = { from: 1, count: CLUSTERS, mutant: null, effectsLaterThanBound: false, untilCaught: false };
  const { failing, played } = await runBatch({ ...batch, cluster: true });
  expect(failing.map(({ seed, verdict }) => ({ seed, verdict }))).toEqual([]);
  expect(played["process: beside others, over one database"]).toBeGreaterThan(2 * CLUSTERS);
});
