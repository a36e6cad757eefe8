import { expect, test } from "vitest";
import { createStore } from "../../../app/adapters/store/store.ts";
import { momentOf } from "../../../app/domain/moment.ts";
import type { Services, Store } from "../../../app/ports.ts";
import { requestWork } from "../../../app/runs/request-work.ts";
import { claimWorkItem } from "../../../app/runs/claim.ts";
import { commit } from "../../../app/runs/run.ts";
import type { Run } from "../../../app/runs/run.ts";
import { freshDatabase } from "../../adapters/store/fresh-database.ts";
import { KEYS, SILENT } from "../../adapters/store/open-store.ts";
import { runScript } from "../../adapters/store/processes/run.ts";
import { SETTINGS } from "../../fakes/app-process.ts";
import { locationGid, shopRecord, SHOP } from "../../fakes/records.ts";

const KEY = locationGid(1);

function at(store: Store, nowMs: number) {
  return {
    store,
    settings: SETTINGS,
    clock: { nowMs: () => nowMs, machineMs: () => nowMs, monotonicMs: () => nowMs },
  } as unknown as Services;
}

test("a worker that is killed keeps its work item until the lease ends; then another has it, and what the first still says counts for nothing", async () => {
  const database = await freshDatabase();
  const open = () => createStore({ url: database.url, keys: KEYS, log: SILENT });
  const before = await open();
  await before.shops.insert(shopRecord());
  const requesting = { clock: { nowMs: () => Date.now() }, random: { id: () => "target-1" } } as unknown as Services;
  const request = { shop: SHOP, kind: "location", key: KEY } as const;
  const { workItemId } = await before.transaction(SHOP, (tables) => requestWork(requesting, tables, request));
  await before.close();

  const script = new URL("processes/run-for-ever.ts", import.meta.url).pathname;
  const worker = runScript({ script, args: [database.url] });
  await worker.line("asked");
  worker.child.kill("SIGKILL");
  expect(await worker.ended).toBeNull();

  const store = await open();
  const held = (await store.workItems.find({ id: workItemId }))!;
  expect(held).toMatchObject({ fence: 1, observedGeneration: 0, state: "active", dueAtMs: held.leaseUntilMs });
  const endsAtMs = held.leaseUntilMs!;
  expect(await claimWorkItem(at(store, endsAtMs - 1), { workItemId, shop: SHOP, owner: "another" })).toBeNull();
  const taken = await claimWorkItem(at(store, endsAtMs + 1), { workItemId, shop: SHOP, owner: "another" });
  expect(taken).toMatchObject({ fence: 2, leaseOwner: "another" });

  const services = at(store, endsAtMs + 2);
  const late = { services, item: held, began: { ...momentOf(services.clock), nowMs: endsAtMs + 2 } } as Run;
  const words = commit(late, (tables) => tables.shops.update({ shop: SHOP }, { timeZone: "late" }));
  await expect(words).rejects.toMatchObject({ kind: "superseded" });
  expect((await store.shops.find({ shop: SHOP }))!.timeZone).not.toBe("late");
  expect(await store.workItems.find({ id: workItemId })).toMatchObject({ fence: 2, leaseOwner: "another" });
  await store.close();
  await database.remove();
});
