import { afterEach, beforeEach, expect, test } from "vitest";
import { isLocked, lockDatabase } from "../../../../app/adapters/store/database.ts";
import type { StoreInput } from "../../../../app/adapters/store/store.ts";
import { SILENT } from "../open-store.ts";
import { beside, runScript, type RunningScript } from "../processes/run.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

let database: FreshPostgres;
let holder: RunningScript | null = null;
beforeEach(async () => {
  database = await freshPostgres();
});
afterEach(async () => {
  await kill();
  await database.remove();
});

/** Another process of the app opens the database, and keeps it until it is killed. */
async function hold(): Promise<RunningScript> {
  holder = runScript({ script: beside("hold-store.ts"), args: [database.url] });
  await holder.line("open");
  return holder;
}

const open = (over: Partial<StoreInput> = {}) => openPostgres(database.url, over);
const lockAlone = (waitMs = 0, log = SILENT) => lockDatabase({ url: database.url, waitMs, log, alone: true });

async function kill(): Promise<void> {
  holder?.child.kill("SIGKILL");
  await holder?.ended;
  holder = null;
}

test("any number of processes work on one database, none of them alone", async () => {
  await hold();
  const [one, two] = [await open(), await open()];
  expect([one.alone, two.alone]).toEqual([false, false]);
  expect(await one.lockIsOurs()).toBe(true);
  await one.close();
  await two.close();
});

test("what must be alone is told who works on the database and what to do, and no password", async () => {
  const { child } = await hold();
  const address = new URL(database.url);
  address.password = "geheim";
  const refusal = await lockDatabase({ url: address.href, waitMs: 0, log: SILENT, alone: true }).catch(
    (error: Error) => error.message,
  );
  expect(refusal).toContain(`${address.pathname} is in use by the process "origen ${child.pid} on `);
  expect(refusal).toContain("Stop it first, or set DATABASE_URL to another database");
  expect(refusal).not.toContain("geheim");
});

test("no process of the app begins beside what is alone, and one that waits for it says so", async () => {
  const alone = await lockAlone();
  await expect(open()).rejects.toThrow(`"origen ${process.pid} on `);
  const warnings: string[] = [];
  const log = { ...SILENT, warn: (_fields: unknown, message: string) => void warnings.push(message) };
  const successor = open({ lockWaitMs: 20_000, log });
  await expect.poll(() => warnings).toEqual(["another process holds the database; waiting for it to end"]);
  await alone.release();
  await (await successor).close();
});

test("a process that is killed holds nobody up", async () => {
  await hold();
  await kill();
  const alone = await lockAlone(20_000);
  await alone.release();
});

test("a tool may look beside it, and is told whether a process works on it", async () => {
  await hold();
  const tool = await open({ exclusive: false });
  expect(await tool.shops.count({})).toBe(0);
  await tool.close();
  expect(await isLocked(database.url)).toBe(true);
  await kill();
  await expect.poll(() => isLocked(database.url)).toBe(false);
});

test("each database of a server has its own", async () => {
  const alone = await lockAlone();
  const other = await freshPostgres();
  await (await openPostgres(other.url)).close();
  await other.remove();
  await alone.release();
});

test("whose connection is cut shows itself again, and works meanwhile", async () => {
  const store = await open();
  // The server is that of other tests too.
  const here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND ${here}`,
  );
  await expect.poll(() => isLocked(database.url)).toBe(false);
  expect(await store.shops.count({})).toBe(0);
  await expect.poll(() => isLocked(database.url)).toBe(true);
  await store.close();
  expect(await isLocked(database.url)).toBe(false);
});
