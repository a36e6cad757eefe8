import { parentPort, workerData } from "node:worker_threads";
import { BROWSER } from "../../sandbox/play/visitor.ts";

/** A worker of server-time.ts: asks for one page again and again, and posts how long each first byte took, in milliseconds. */

const { url, times } = workerData as { url: string; times: number };

const tookMs: number[] = [];
for (let nth = 0; nth < times; nth += 1) {
  const startedAtMs = performance.now();
  const response = await fetch(url, { headers: { "User-Agent": BROWSER }, redirect: "manual" });
  tookMs.push(performance.now() - startedAtMs);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${new URL(url).pathname} answered ${response.status}`);
}
parentPort!.postMessage(tookMs);
