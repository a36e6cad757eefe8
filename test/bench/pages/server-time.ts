import { BROWSER } from "../../sandbox/play/visitor.ts";
import type { Sandbox } from "../../sandbox/start.ts";

/** How long the app takes until the first byte of a page's document, opened as Shopify's frame opens it. */

export interface ServerTimeInput {
  sandbox: Sandbox;
  store: string;
  path: string;
  times: number;
}

/** Milliseconds, the 95th percentile. One request at a time: what one owner feels. */
export async function measureServerTime({ sandbox, store, path, times }: ServerTimeInput): Promise<number> {
  const tookMs: number[] = [];
  const url = await frameUrl({ sandbox, store, path });
  for (let nth = 0; nth < times; nth += 1) {
    const startedAtMs = performance.now();
    const response = await fetch(url, { headers: { "User-Agent": BROWSER }, redirect: "manual" });
    tookMs.push(performance.now() - startedAtMs);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  }
  return tookMs.toSorted((a, b) => a - b)[Math.ceil(times * 0.95) - 1]!;
}

async function frameUrl({ sandbox, store, path }: Omit<ServerTimeInput, "times">): Promise<string> {
  const response = await fetch(`${sandbox.adminUrl}/sandbox/shops/${store}/frame`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path }),
  });
  return ((await response.json()) as { url: string }).url;
}
