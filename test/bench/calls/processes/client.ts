import { createInterface } from "node:readline";
import type { MakeContender, What } from "../contender.ts";

/**
 * A contender in a process of its own, so that nobody's garbage is another's work. For each line that it reads, a number of calls, it makes
 * them and prints what they took.
 */

export interface ClientOptions {
  contender: keyof typeof CONTENDERS;
  url: string;
  what: What;
}

/** What one round took. */
export interface Took {
  /** Processor time of the process, its threads included, in milliseconds. */
  cpuMs: number;
  wallMs: number;
}

/** So many shops, each with one call under way at a time. */
const SHOPS = 8;
/** More than are made while a slot rests, which takes a second. */
const PLACES = 100_000;

const CONTENDERS = {
  async ours() {
    const { makeWith, noLine } = await import("../contenders/ours.ts");
    return makeWith(noLine);
  },
  async oursInLine() {
    const { makeWith, manyPlaces } = await import("../contenders/ours.ts");
    return makeWith(manyPlaces(PLACES));
  },
  bareUndici: async () => (await import("../contenders/bare-undici.ts")).make,
  got: async () => (await import("../contenders/got.ts")).make,
  axios: async () => (await import("../contenders/axios.ts")).makeWith(PLACES),
} satisfies Record<string, () => Promise<MakeContender>>;

const { contender: name, url, what } = JSON.parse(process.argv[2]!) as ClientOptions;
const make: MakeContender = await CONTENDERS[name]();
const contender = make({ url, what, shops: SHOPS });

async function round(calls: number): Promise<Took> {
  const cpuBefore = process.cpuUsage();
  const fromMs = performance.now();
  let left = calls;
  const work = async (shop: number) => {
    while (left-- > 0) await contender.call(shop);
  };
  await Promise.all(Array.from({ length: SHOPS }, (_, shop) => work(shop)));
  const wallMs = performance.now() - fromMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuMs: (user + system) / 1_000, wallMs };
}

console.log("ready");
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await round(Number(line))));
process.exit(0);
