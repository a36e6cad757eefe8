import { afterEach, beforeEach, expect, test } from "vitest";
import { isLocked } from "../../../../app/adapters/store/database.ts";
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

/** Another process takes the lock, and keeps it until it is killed. */
async function hold(): Promise<RunningScript> {
  holder = runScript({ script: beside("hold-store.ts"), args: [database.url] });
  await holder.line("open");
  return holder;
}

const open = (over: Partial<StoreInput> = {}) => openPostgres(database.url, over);

async function kill(): Promise<void> {
  holder?.child.kill("SIGKILL");
  await holder?.ended;
  holder = null;
}

test("a second process is told who holds the database and what to do, and no password", async () => {
  const { child } = await hold();
  const address = new URL(database.url);
  address.password = "geheim";
  const refusal = await openPostgres(address.href).catch((error: Error) => error.message);
  expect(refusal).toContain(`${address.pathname} is in use by the process "origen ${child.pid} on `);
  expect(refusal).toContain("stop that one, or set DATABASE_URL to another database");
  expect(refusal).not.toContain("geheim");
});

test("a process that is killed leaves no lock, and a successor that waits says so", async () => {
  await hold();
  const warnings: string[] = [];
  const log = { ...SILENT, warn: (_fields: unknown, message: string) => void warnings.push(message) };
  const successor = open({ lockWaitMs: 20_000, log });
  await expect.poll(() => warnings).toEqual(["another process holds the database; waiting for it to end"]);
  await kill();
  await (await successor).close();
});

test("a tool may look beside it, and is told whether it is held", async () => {
  await hold();
  const tool = await open({ exclusive: false });
  expect(await tool.shops.count({})).toBe(0);
  await tool.close();
  expect(await isLocked(database.url)).toBe(true);
  await kill();
  await expect.poll(() => isLocked(database.url)).toBe(false);
});

test("each database of a server has its own", async () => {
  const other = await freshPostgres();
  await (await openPostgres(other.url)).close();
  await other.remove();
});

test("whoever loses it, as when its connection is cut, hears at once", async () => {
  let lost = 0;
  const store = await open({ onLockLost: () => (lost += 1) });
  expect(await store.lockIsOurs()).toBe(true);
  // The server is that of other tests too.
  const here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND ${here}`,
  );
  await expect.poll(() => lost).toBe(1);
  expect(await store.lockIsOurs()).toBe(false);
  const next = await open();
  expect(await next.lockIsOurs()).toBe(true);
  await store.close();
  await next.close();
  expect(lost).toBe(1);
});

test("closing is no loss, and one process cannot open it twice either", async () => {
  let lost = 0;
  const store = await open({ onLockLost: () => (lost += 1) });
  await expect(open()).rejects.toThrow(`"origen ${process.pid} on `);
  await store.close();
  await (await open()).close();
  expect(lost).toBe(0);
});

test("right after the server's own start it waits until a holder from before has noticed", async () => {
  const settledMs = 10_000_000;
  const waiting = open({ settledMs }).catch((error: Error) => error);
  await expect.poll(() => isLocked(database.url)).toBe(true);
  const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 300, "waits"))]);
  expect(early).toBe("waits");
});
