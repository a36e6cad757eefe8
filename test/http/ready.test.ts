import { expect, test } from "vitest";
import { createReady, type ReadyInput } from "../../app/http/ready.ts";
import { createClient } from "@libsql/client";
import { openFreshStore } from "../adapters/store/open-store.ts";

let nowMs = 0;

async function asked(over: Partial<ReadyInput> = {}, spoil?: string) {
  const { store, database, close } = await openFreshStore();
  if (spoil) {
    const client = createClient({ url: database.url });
    await client.execute(spoil);
    client.close();
  }
  const input: ReadyInput = {
    clock: { monotonicMs: () => nowMs, after: () => () => undefined },
    askStore: store.ask,
    tables: store,
    lockIsOurs: store.lockIsOurs,
    workerLateMs: () => -60_000,
    isStopping: () => false,
    ...over,
  };
  const found = await createReady(input).read();
  await close();
  return found;
}

test("it is ready where every part is", async () => {
  expect(await asked()).toEqual({ ready: true, parts: { store: "ok", migrations: "ok", lease: "ok", worker: "ok" } });
});

type Part = "lease" | "worker";

test.each<[Part, Partial<ReadyInput>, string]>([
  ["lease", { lockIsOurs: async () => false }, "another process has the database"],
  ["worker", { workerLateMs: () => null }, "starting"],
  ["worker", { workerLateMs: () => 5_400 }, "its last turn is 5 s overdue"],
  ["worker", { isStopping: () => true }, "stopping"],
])("%s: told by its part, and nothing else", async (part, over, word) => {
  const { ready, parts } = await asked(over);
  expect(ready).toBe(false);
  expect(parts[part]).toBe(word);
  expect(Object.values(parts).filter((each) => each !== "ok")).toEqual([word]);
});

test("a column that a migration would have brought is missing: the table is named", async () => {
  const { ready, parts } = await asked({}, 'ALTER TABLE "Template" DROP COLUMN "readAtMs"');
  expect(ready).toBe(false);
  expect(parts).toMatchObject({ store: "ok", migrations: "npm run migrate is missing for: templates" });
});

test("a store that does not answer is told without its address", async () => {
  const found = await asked({ askStore: () => Promise.reject(new Error("postgresql://user:password@host")) });
  expect(found.parts).toMatchObject({ store: "no answer", migrations: "not known" });
  expect(JSON.stringify(found)).not.toContain("password");
});

test.each<[string, (hangs: Promise<never>) => Partial<ReadyInput>, object]>([
  ["store", (hangs) => ({ askStore: () => hangs }), { store: "no answer", migrations: "not known", lease: "ok" }],
  ["lease", (hangs) => ({ lockIsOurs: () => hangs }), { store: "ok", migrations: "ok", lease: "no answer" }],
])("what hangs is told after two seconds (%s)", async (_part, over, parts) => {
  const waits: number[] = [];
  // Two parts are asked at once. Where one has ended, only the timer of the other is left, however long the first took.
  const timers = new Set<() => void>();
  const after = (ms: number, call: () => void) => {
    waits.push(ms);
    timers.add(call);
    return () => {
      timers.delete(call);
      for (const left of timers) left();
    };
  };
  const found = await asked({ clock: { monotonicMs: () => nowMs, after }, ...over(new Promise(() => undefined)) });
  expect(found).toMatchObject({ ready: false, parts });
  expect(new Set(waits)).toEqual(new Set([2_000]));
});

test("it asks at most every two seconds", async () => {
  const { store, close } = await openFreshStore();
  let count = 0;
  const one = createReady({
    clock: { monotonicMs: () => nowMs, after: () => () => undefined },
    askStore: async () => void (count += 1),
    tables: store,
    lockIsOurs: async () => true,
    workerLateMs: () => -1,
    isStopping: () => false,
  });
  await Promise.all([one.read(), one.read()]);
  nowMs += 1_999;
  await one.read();
  expect(count).toBe(1);
  nowMs += 1;
  await one.read();
  expect(count).toBe(2);
  await close();
});
