import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { receiptRecord, SHOP, shopRecord, workItemRecord } from "../../../fakes/records.ts";
import { beside, runScript } from "../processes/run.ts";
import { GO, TIMES } from "../processes/side-by-side.ts";
import { sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

/** What holds though several processes, each with a store of its own, work on one database at the same time. */

const AN_HOUR_AHEAD = `--import=${new URL("../../shipping/slots/processes/an-hour-ahead.ts", import.meta.url).href}`;
const HOUR_MS = 3_600_000;

let shared: SharedPostgres;
beforeAll(async () => {
  shared = await sharedPostgres();
});
afterAll(() => shared.close());
beforeEach(async () => {
  await shared.empty();
  await shared.store.shops.insert(shopRecord());
});

/** Each task in a process of its own, all at once, the second with a clock that is an hour ahead; gives what each of them did. */
async function sideBySide(...tasks: string[]): Promise<unknown[]> {
  const all = tasks.map((task, index) =>
    runScript({
      script: beside("side-by-side.ts"),
      args: [shared.database.url, task, "abc"[index]!],
      ...(index === 1 && { env: { NODE_OPTIONS: AN_HOUR_AHEAD } }),
    }),
  );
  await Promise.all(all.map(({ line }) => line("ready")));
  await shared.store.shops.insert(shopRecord({ shop: GO }));
  const did = await Promise.all(all.map(({ line }) => line("did ")));
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(tasks.map(() => 0));
  return did.map((line) => JSON.parse(line.slice("did ".length)) as unknown);
}

test("no increment is lost", async () => {
  await shared.store.workItems.insert(workItemRecord({ generation: 0 }));
  await sideBySide("increments", "increments", "increments");
  expect((await shared.store.workItems.find({ id: "target-1" }))!.generation).toBe(3 * TIMES);
});

test("inserts beside erases fail nothing, and a transaction finds its shop there all along or not at all", async () => {
  const [, one, two] = await sideBySide("erases", "inserts", "inserts");
  for (const outcomes of [one, two] as string[][])
    expect(["true,true", "false,false"]).toEqual(expect.arrayContaining(outcomes));
  await shared.store.eraseShop(SHOP);
  expect(await shared.store.receipts.count({})).toBe(0);
  await shared.store.shops.insert(shopRecord());
  expect(await shared.store.receipts.insert(receiptRecord())).toBe(true);
});

test("each work item is claimed by one of them, and its fence rises once", async () => {
  const ids = Array.from({ length: 3 * TIMES }, (_, index) => `item ${String(index).padStart(3, "0")}`);
  for (const id of ids) await shared.store.workItems.insert(workItemRecord({ id, key: id, fence: 4, dueAtMs: 0 }));
  const claimed = (await sideBySide("claims", "claims", "claims")) as [string, number][][];
  expect(claimed.flat().sort()).toEqual(ids.map((id) => [id, 5]));
});

test("a shop gets one current connection and one running job, and a template one unclear write", async () => {
  const got = (await sideBySide("uniques", "uniques", "uniques")) as Record<string, number>[];
  const sum = (name: string) => got.reduce((all, each) => all + each[name]!, 0);
  expect([sum("connections"), sum("jobs"), sum("pendingWrites")]).toEqual([1, 1, TIMES]);
  const { store } = shared;
  expect(await store.connections.count({ shop: SHOP, current: true })).toBe(1);
  expect(await store.jobs.count({ shop: SHOP, state: "running" })).toBe(1);
});

test("they agree on the time of day, though one's machine is an hour ahead", async () => {
  const clocks = (await sideBySide("clocks", "clocks", "clocks")) as { errorMs: number; ownErrorMs: number }[];
  // A correction begins at a tenth of a second.
  expect(clocks.every(({ errorMs }) => errorMs < 1_000)).toBe(true);
  expect(clocks.map(({ ownErrorMs }) => Math.round(ownErrorMs / HOUR_MS))).toEqual([0, 1, 0]);
});
