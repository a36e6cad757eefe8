import { parentPort } from "node:worker_threads";
import { runBatch } from "./run-batch.ts";
import type { Batch } from "./run-batch.ts";
import type { Said } from "./threads.ts";

/** One thread: plays the batches it is sent, and says what it saw. */
const port = parentPort!;
const say = (said: Said) => port.postMessage(said);

port.on("message", (batch: Batch) => {
  void runBatch(batch, (failing) => say({ failing })).then((end) => say({ end }));
});
