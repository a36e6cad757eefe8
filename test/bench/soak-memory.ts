import { setFlagsFromString } from "node:v8";
import { parseArgs } from "node:util";
import { runInNewContext } from "node:vm";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { locationGid, SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation, type World } from "../fakes/world.ts";
import { pagesOver } from "../simulation/story/pages.ts";
import type { BenchRow } from "./run.ts";
import { slopeOf } from "./soak-memory/slope.ts";

/**
 * Whether the app's memory grows: a day on the virtual clock, with the true rooms, worker, shipping adapter, tokens and readings in memory. Of
 * a shop's locations one changes each minute and is told by three webhooks, somebody edits the address book, the service fails now and then,
 * and pages are read. The heap is measured after a collection. What stands on a disk or elsewhere in truth (lines of activity, receipts of
 * webhooks, what the stand-ins remember) is taken away before. `--hours` and `--warm-up` make it shorter; with `--leak N` so many objects are kept each minute, which it must see.
 */

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SAMPLE_EVERY_MINUTES = 10;
const LOCATIONS = 20;
/** Each so many minutes the service fails for one. */
const FAILS_EVERY_MINUTES = 45;
/** So many addresses of each location take turns: what is remembered by its words is soon all there. */
const ADDRESSES = 4;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      hours: { type: "string", default: "24" },
      "warm-up": { type: "string", default: "6" },
      leak: { type: "string", default: "0" },
    },
  });
  const hours = Number(values.hours);
  const { samples, calls, changes, astray } = await live({
    hours,
    warmUpHours: Number(values["warm-up"]),
    leak: Number(values.leak),
  });
  const { slope, low, high } = slopeOf(samples.map(({ hour, heapKb }) => [hour, heapKb]));
  const told = (figure: number) => Math.round(figure * 100) / 100;
  const met = low <= 0 && high >= 0;
  const mean = samples.reduce((sum, { heapKb }) => sum + heapKb, 0) / samples.length;
  return [
    {
      name: "95 % interval of the heap's slope",
      figure: `${told(low)} to ${told(high)}`,
      unit: "kB an hour",
      goal: "contains 0",
      met,
    },
    { name: "locations astray at the end", figure: astray, unit: "", goal: "0", met: astray === 0 },
    { name: "slope", figure: told(slope), unit: "kB an hour", goal: "told", met: true },
    { name: "heap, mean", figure: told(mean / 1_024), unit: "MB", goal: "told", met: true },
    { name: "hours, virtual", figure: hours, unit: "h", goal: "told", met: true },
    { name: "changes in Shopify", figure: changes, unit: "", goal: "told", met: true },
    { name: "calls of the service", figure: calls, unit: "", goal: "told", met: true },
  ];
}

interface Sample {
  hour: number;
  heapKb: number;
}

async function live({ hours, warmUpHours, leak }: { hours: number; warmUpHours: number; leak: number }) {
  const world = await createWorld({ seed: 7 });
  for (let number = 1; number <= LOCATIONS; number += 1) await world.addLocation(number);
  const pages = pagesOver(world.services);
  const worker = world.start();
  const samples: Sample[] = [];
  const collect = collector();
  const kept: object[] = [];
  let calls = 0;
  for (let minute = 0; minute < (warmUpHours + hours) * 60; minute += 1) {
    const number = 1 + (minute % LOCATIONS);
    const isFailing = minute % FAILS_EVERY_MINUTES === 0;
    world.outcomeOf = isFailing ? failing : prompt;
    await change(world, { number, minute });
    for (let object = 0; object < leak; object += 1) kept.push({ minute, object });
    await world.runFor(MINUTE_MS);
    const read = [pages.home(SHOP), pages.origins(SHOP), pages.book(SHOP), pages.origin(SHOP, locationGid(number))];
    await world.clock.runWhile(Promise.all<unknown>(read));
    if (minute % SAMPLE_EVERY_MINUTES !== 0) continue;
    calls += world.calls.length;
    await forget(world);
    const hour = minute / 60 - warmUpHours;
    if (hour >= 0) samples.push({ hour, heapKb: collect() / 1_024 });
  }
  world.outcomeOf = prompt;
  await world.runFor(HOUR_MS);
  let astray = 0;
  for (let number = 1; number <= LOCATIONS; number += 1) {
    const there = world.shopify.known(SHOP, locationGid(number))!.address.address1 ?? "";
    const sent = world.templateOf(locationGid(number))?.address.street_number ?? "none";
    if (!there.endsWith(sent)) astray += 1;
  }
  await world.clock.runWhile(worker.stop());
  return { samples, calls, changes: (warmUpHours + hours) * 60, astray };
}

const prompt: World["outcomeOf"] = () => ({
  arrivesAfterMs: 20,
  effectAfterMs: 0,
  answer: { kind: "true", afterMs: 20 },
});
const failing: World["outcomeOf"] = () => ({
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "server_error", afterMs: 20 },
});

/** In Shopify, told three times; and by hand in the book, of another location. */
async function change(world: World, { number, minute }: { number: number; minute: number }): Promise<void> {
  world.shopify.put(
    SHOP,
    shopifyLocation(number, {
      address: mexicanAddress({ number: String(1_000 + (Math.floor(minute / LOCATIONS) % ADDRESSES)) }),
    }),
  );
  const webhook = { shop: SHOP, topic: "locations/update", payload: { id: number } };
  for (const time of ["first", "again"])
    await world.clock.runWhile(receiveWebhook(world.services, { ...webhook, webhookId: `${minute} ${time}` }));
  await world.clock.runWhile(receiveWebhook(world.services, { ...webhook, webhookId: `${minute} first` }));
  const others = [...world.account.templates.keys()];
  const other = others[(minute * 7) % Math.max(1, others.length)];
  if (other && minute % 5 === 0)
    world.account.byPerson.edit(other, "reference", `Portón ${minute % 10}`, world.clock.nowMs());
}

/** What in truth is not in the process. */
async function forget(world: World): Promise<void> {
  await world.clock.runWhile(world.store.activity.delete({ shop: SHOP }));
  await world.clock.runWhile(world.store.receipts.delete({ shop: SHOP }));
  world.account.forgetBefore(world.clock.nowMs());
  world.shopify.forgetPast();
  for (const list of [world.calls, world.arrivals, world.requests, world.shopify.flow]) list.length = 0;
}

/** The bytes of the heap that are in use after a collection. */
function collector(): () => number {
  // V8 goes on for hours to compile what it finds hot, and keeps the code: that is none of the app's memory.
  for (const flag of ["--expose-gc", "--no-opt", "--no-maglev", "--no-sparkplug"]) setFlagsFromString(flag);
  const collect = runInNewContext("gc") as () => void;
  return () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
}
