import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createArrivals } from "../../../sandbox/shipping/arrivals.ts";
import { ONE, TOKENS } from "../../calls/answers.ts";
import type { Received } from "../receiver-report.ts";

/**
 * A service and the network before it: each request is on the way for a random time, and counts when it arrives. The first part of a path
 * says whose it is; `/report` gives what arrived of each. Prints its address.
 */

const LIMIT = 2;

const longestDelayMs = Number(process.argv[2]);
const arrivals = createArrivals();
const delays = new Map<string, { count: number; ms: number }>();

function reportOfAll(): Record<string, Received> {
  const counts = Object.entries(arrivals.counts());
  const means = counts.map(([name, count]) => {
    const { count: of, ms } = delays.get(name)!;
    return [name, { ...count, meanRoundTripMs: ms / of }] as const;
  });
  return Object.fromEntries(means);
}

const server = createServer((request, response) => {
  request.resume();
  if (request.url === "/report") return void response.end(JSON.stringify(reportOfAll()));
  const name = request.url!.split("/")[1]!;
  const sentMs = performance.now();
  setTimeout(() => {
    const atMs = performance.now();
    arrivals.arrive(name, { atMs, limit: LIMIT });
    const delay = delays.get(name) ?? { count: 0, ms: 0 };
    delays.set(name, { count: delay.count + 1, ms: delay.ms + atMs - sentMs });
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(request.method === "POST" ? TOKENS : ONE);
  }, Math.random() * longestDelayMs);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
