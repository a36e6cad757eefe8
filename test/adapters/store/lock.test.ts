import { copyFile, readFile, rename, rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isLocked } from "../../../app/adapters/store/database.ts";
import { createStore, LOCK_WAIT_MS, type PrismaStore } from "../../../app/adapters/store/store.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";
import { KEYS, SILENT } from "./open-store.ts";
import { beside, runScript, type RunningScript } from "./processes/run.ts";

let database: FreshDatabase;
let holder: RunningScript;
beforeEach(async () => {
  database = await freshDatabase();
  holder = runScript({ script: beside("hold-store.ts"), args: [database.url] });
  await holder.line("open");
});
afterEach(async () => {
  holder.child.kill("SIGKILL");
  await holder.ended;
  await database.remove();
});

const open = (lockWaitMs: number, log = SILENT) => createStore({ url: database.url, keys: KEYS, log, lockWaitMs });

test("a second process is told who holds the database and what to do", async () => {
  const refusal = await open(200).catch((error: Error) => error.message);
  expect(refusal).toContain(`${database.path} is in use by process ${holder.child.pid} on `);
  expect(refusal).toContain("stop that one, or set DATABASE_URL to another file");
});

test("a process that is killed leaves no lock", async () => {
  holder.child.kill("SIGKILL");
  await holder.ended;
  const store = await open(0);
  expect(await store.shops.count({})).toBe(0);
  await store.close();
});

test("a successor that starts too early waits for the lock and says so", async () => {
  const warnings: string[] = [];
  const successor = open(20_000, { ...SILENT, warn: (_fields, message) => void warnings.push(message) });
  await expect.poll(() => warnings).toEqual(["another process holds the database; waiting for it to end"]);
  holder.child.kill("SIGKILL");
  await (await successor).close();
});

test("a successor started while its predecessor stops waits for it as long as a stop may take, without being told", async () => {
  holder.child.kill("SIGKILL");
  await holder.ended;
  // Longer than a restart used to be waited for.
  holder = runScript({ script: beside("hold-store.ts"), args: [database.url, "6500"] });
  await holder.line("open");
  const successor = runScript({ script: beside("hold-store.ts"), args: [database.url] });
  holder.child.kill("SIGTERM");
  await holder.line("stopping");
  await successor.line("open");
  expect(await holder.ended).toBe(0);
  successor.child.kill("SIGTERM");
  expect(await successor.ended).toBe(0);
  // The server's own stop, after which it exits whatever is left.
  expect(LOCK_WAIT_MS).toBeGreaterThan(15_000);
});

test("a tool may look beside it, and the holder keeps the lock", async () => {
  const beside = await createStore({ url: database.url, keys: KEYS, log: SILENT, exclusive: false });
  expect(await beside.shops.count({})).toBe(0);
  await beside.close();
  expect(await isLocked(database.url)).toBe(true);
  holder.child.kill("SIGKILL");
  await holder.ended;
  expect(await isLocked(database.url)).toBe(false);
});

test("one process cannot open the same database twice either", async () => {
  holder.child.kill("SIGKILL");
  await holder.ended;
  const first = await open(0);
  await expect(open(0)).rejects.toThrow(`in use by process ${process.pid}`);
  await first.close();
  await (await open(0)).close();
});

describe("whether the lock is still ours", () => {
  let store: PrismaStore;
  beforeEach(async () => {
    holder.child.kill("SIGKILL");
    await holder.ended;
    store = await open(0);
    expect(await store.lockIsOurs()).toBe(true);
    await store.ask();
  });
  afterEach(() => store.close());

  test("asking again and again neither loses it nor lets anybody in", async () => {
    for (let time = 0; time < 50; time += 1) expect(await store.lockIsOurs()).toBe(true);
    await expect(open(0)).rejects.toThrow(`in use by process ${process.pid}`);
    expect(await store.lockIsOurs()).toBe(true);
  });

  test("its file was removed, and then made anew by another process", async () => {
    await rm(`${database.path}-lock`);
    expect(await store.lockIsOurs()).toBe(false);
    const other = await open(0);
    expect(await other.lockIsOurs()).toBe(true);
    expect(await store.lockIsOurs()).toBe(false);
    await other.close();
    expect(await store.lockIsOurs()).toBe(false);
  });

  test("a copy stands in its place, as after a restore", async () => {
    await copyFile(`${database.path}-lock`, `${database.path}-copy`);
    await rename(`${database.path}-copy`, `${database.path}-lock`);
    expect(await store.lockIsOurs()).toBe(false);
  });

  test("another process holds it in the same file", async () => {
    // Who opens and closes the file by other means drops all locks that his process has on it.
    await readFile(`${database.path}-lock`);
    holder = runScript({ script: beside("hold-store.ts"), args: [database.url] });
    await holder.line("open");
    expect(await store.lockIsOurs()).toBe(false);
  });
});
