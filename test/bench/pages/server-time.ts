import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Sandbox } from "../../sandbox/start.ts";

/**
 * How long the app takes until the first byte of a page's document, opened as Shopify's frame opens it. Asked of the app itself by a
 * thread of its own: the stand-ins of Shopify and the service live in this one, and what they compute is no time of the server's.
 */

export interface ServerTimeInput {
  sandbox: Sandbox;
  store: string;
  path: string;
  times: number;
}

/** Milliseconds, the 95th percentile. One request at a time: what one owner feels. */
export async function measureServerTime({ times, ...page }: ServerTimeInput): Promise<number> {
  const workerData = { url: await frameUrl(page), times };
  const worker = new Worker(new URL("./request-times.ts", import.meta.url), { workerData });
  const [tookMs] = (await once(worker, "message")) as [number[]];
  return tookMs.toSorted((a, b) => a - b)[Math.ceil(times * 0.95) - 1]!;
}

async function frameUrl({ sandbox, store, path }: Omit<ServerTimeInput, "times">): Promise<string> {
  const response = await fetch(`${sandbox.adminUrl}/sandbox/shops/${store}/frame`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
  });
  const url = new URL(((await response.json()) as { url: string }).url);
  url.host = new URL(sandbox.app.url).host;
  return url.href;
}
