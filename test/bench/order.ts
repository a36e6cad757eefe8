import type { OrderOriginsView } from "../../app/views/order-origins.ts";
import { askApp, finishOrigin, gid, sessionToken } from "../e2e/orders/order-questions.ts";
import { startOrderStage, STORE } from "../e2e/orders/order-stage.ts";
import type { OrderStage } from "../e2e/orders/order-stage.ts";
import type { BenchRow } from "./run.ts";

/**
 * What an order page waits for while the shipping service takes five seconds for everything: one question at a time, and twenty orders
 * at once, each leaving from other locations, right after a location changed and when nothing did.
 */

const GOAL_MS = 300;
const SLOW_MS = 5_000;
const AT_ONCE = 20;
const ROUNDS = 10;

export async function bench(): Promise<BenchRow[]> {
  const stage = await startOrderStage();
  try {
    const changing = await finishOrigin(stage, "Sucursal Coyoacán");
    stage.sandbox.shipping!.faults.set({ kind: "slow", delayMs: SLOW_MS });
    const sets = locationSets(stage);
    const single: number[] = [];
    const changed: number[] = [];
    const unchanged: number[] = [];
    // The first round warms up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      if (round === 1) for (const took of [single, changed, unchanged]) took.length = 0;
      const ask = await questions(stage);
      for (const set of sets) single.push(await ask(set));
      await changeLocation(stage, { id: changing, round });
      changed.push(Math.max(...(await Promise.all(sets.map(ask)))));
      unchanged.push(Math.max(...(await Promise.all(sets.map(ask)))));
    }
    return [
      row(`one order, 95 of 100 (${single.length} questions)`, percentile95(single)),
      row(`${AT_ONCE} orders at once, a location just changed: slowest of ${ROUNDS} rounds`, Math.max(...changed)),
      row(`${AT_ONCE} orders at once, nothing changed: slowest of ${ROUNDS} rounds`, Math.max(...unchanged)),
    ];
  } finally {
    await stage.sandbox.stop();
  }
}

/** One location, then two, then three, until there are enough. */
function locationSets(stage: OrderStage): string[][] {
  const ids = [...stage.job.shop.locations.values()].map(({ id }) => gid(String(id)));
  return Array.from({ length: AT_ONCE }, (_one, nth) => {
    const size = 1 + Math.floor(nth / ids.length);
    return Array.from({ length: size }, (_id, step) => ids[(nth + step) % ids.length]!);
  });
}

/** Its webhook is answered when this resolves; the calls of the service that it sets off go on beside the questions. */
async function changeLocation(stage: OrderStage, { id, round }: { id: string; round: number }): Promise<void> {
  const address = { phone: `+52 55 5264 01${10 + round}` };
  await stage.control("PATCH", `shops/${STORE}/locations/${id}`, { address });
  await stage.control("POST", "webhooks/settled");
}

/** A session token lives for a minute: each round has its own. */
async function questions(stage: OrderStage): Promise<(locationIds: string[]) => Promise<number>> {
  const headers = { Authorization: `Bearer ${await sessionToken(stage)}` };
  return async (locationIds) => {
    const { status, json, tookMs } = await askApp(stage, `/api/origins?locations=${locationIds.join(",")}`, {
      headers,
    });
    if (status !== 200) throw new Error(`The app answered ${status}`);
    const { origins } = json() as unknown as OrderOriginsView;
    if (origins.length !== locationIds.length)
      throw new Error(`The app knew ${origins.length} of ${locationIds.length}`);
    return tookMs;
  };
}

function percentile95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1]!;
}

function row(name: string, figureMs: number): BenchRow {
  return { name, figure: Math.round(figureMs), unit: "ms", goal: `≤ ${GOAL_MS}`, met: figureMs <= GOAL_MS };
}
