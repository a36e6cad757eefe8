import { parseArgs } from "node:util";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { BenchRow } from "./run.ts";

/**
 * A store's first sync into a book that others fill, on the virtual clock: how many calls it takes beside the fewest that can do it, and how
 * long beside what two calls a second allow. The network takes 40 ms for a request and its answer, and no call fails.
 */

const ROWS_A_PAGE = 20;
const CALLS_A_SECOND = 2;
const MOST_TIMES_AS_LONG = 1.05;
/** Virtual. */
const LOOK_EVERY_MS = 1_000;
const GIVE_UP_AFTER_MS = 3_600_000;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: { locations: { type: "string", default: "200" }, templates: { type: "string", default: "90" } },
  });
  const locations = Number(values.locations);
  const templates = Number(values.templates);
  const { calls, linked, made, tookMs } = await converge({ locations, templates });
  // A token, the book once, and a create for each location.
  const fewest = 1 + Math.ceil(templates / ROWS_A_PAGE) + locations;
  const callsShare = round(calls / fewest);
  const timeShare = round(tookMs / 1_000 / (calls / CALLS_A_SECOND));
  return [
    { name: "calls ÷ fewest calls", figure: callsShare, unit: "", goal: "1.00", met: calls === fewest },
    {
      name: "time ÷ (calls ÷ 2 a second)",
      figure: timeShare,
      unit: "",
      goal: `≤ ${MOST_TIMES_AS_LONG}`,
      met: timeShare <= MOST_TIMES_AS_LONG,
    },
    { name: "locations linked", figure: linked, unit: "", goal: String(locations), met: linked === locations },
    {
      name: "templates in the book",
      figure: made,
      unit: "",
      goal: String(locations + templates),
      met: made === locations + templates,
    },
    { name: "calls", figure: calls, unit: "", goal: "told", met: true },
    { name: "time, virtual", figure: Math.round(tookMs / 1_000), unit: "s", goal: "told", met: true },
  ];
}

/** `tookMs`: from the start of the worker until the last answer, on the virtual clock. */
async function converge({ locations, templates }: { locations: number; templates: number }) {
  const world = await createWorld();
  await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null });
  for (let stranger = 0; stranger < templates; stranger += 1) {
    const address_attributes = { street1: "Calle", postal_code: "20000", country_code: "MX" };
    world.account.byPerson.add({ alias_name: `Proveedor ${stranger}`, address_type: "from", address_attributes });
  }
  for (let number = 1; number <= locations; number += 1) await world.addLocation(number);
  const beganMs = world.clock.nowMs();
  const worker = world.start();
  const isLinked = async () => (await world.store.links.count({ shop: SHOP })) >= locations;
  while (!(await isLinked()) && world.clock.nowMs() - beganMs < GIVE_UP_AFTER_MS) await world.runFor(LOOK_EVERY_MS);
  // Whatever it would still ask counts, too.
  await world.runFor(60_000);
  await world.clock.runWhile(worker.stop());
  const lastMs = Math.max(...world.arrivals.map(({ atMs }) => atMs));
  return {
    calls: world.arrivals.length,
    linked: await world.store.links.count({ shop: SHOP }),
    made: world.account.templates.size,
    tookMs: lastMs - beganMs,
  };
}

function round(figure: number): number {
  return Math.round(figure * 1_000) / 1_000;
}
