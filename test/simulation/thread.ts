import { parentPort } from "node:worker_threads";
import { runBatch } from "./run-batch.ts";
import type { Batch } from "./run-batch.ts";
import type { Said } from "./threads.ts";

/** One thread: plays the batches that it is sent, and reports what it found. */
const port = parentPort!;
const say = (said: Said) => port.postMessage(said);

port.on("message", (batch: Batch) => {
  void runBatch(batch, (failing) => say({ failing })).then((end) => say({ end }));
});
