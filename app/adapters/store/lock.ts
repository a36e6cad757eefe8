import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type Client } from "@libsql/client";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../ports.ts";
import type { DatabaseLock } from "./database-lock.ts";
import { databasePath, makePlace } from "./libsql.ts";
import { isBusy } from "./one-connection.ts";

const ATTEMPT_EVERY_MS = 100;

interface Holder {
  pid: number;
  host: string;
  since: string;
}

/**
 * Allows one process for each SQLite database, because a second one would keep a second budget. The lock is a write transaction that stays
 * open on a small database beside the real one. The operating system drops it with the process, however the process ends, and readers can
 * still see who holds it. It is ours while its file is the one that was locked, and no other process has written its name there. Waits
 * `waitMs` for another process to end, then throws an `AppError` that says what to do.
 */
export async function lockFile(input: { url: string; waitMs: number; log: Log }): Promise<DatabaseLock> {
  const { url, waitMs, log } = input;
  const path = databasePath(url);
  if (!path) return { alone: true, isOurs: async () => true, release: async () => undefined };
  const endMs = performance.now() + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    const since = new Date().toISOString();
    const client = await take(url, since);
    if (client) {
      const file = await fileId(path);
      return { alone: true, isOurs: () => isOurs({ url, path, file, since }), release: () => give(client) };
    }
    const holder = await readHolder(url);
    if (performance.now() >= endMs) throw held(path, holder);
    if (attempt === 0) log.warn({ path, holder, waitMs }, "another process holds the database; waiting for it to end");
    await delay(ATTEMPT_EVERY_MS);
  }
}

/** Whether a process holds the database's lock now. */
export async function isFileLocked(url: string): Promise<boolean> {
  if (!databasePath(url)) return false;
  const client = await take(url, new Date().toISOString());
  if (client) await give(client);
  return !client;
}

/** The file's id, read without opening the file: closing it again would drop the process's locks on it. */
async function fileId(path: string): Promise<string | null> {
  const found = await stat(`${path}-lock`, { bigint: true }).catch(() => null);
  return found && `${found.dev}:${found.ino}`;
}

async function isOurs(input: { url: string; path: string; file: string | null; since: string }): Promise<boolean> {
  if ((await fileId(input.path)) !== input.file) return false;
  const holder = await readHolder(input.url);
  return holder?.pid === process.pid && holder.host === hostname() && holder.since === input.since;
}

/**
 * Writes down who takes the lock, then takes it; null when another process holds it. Each attempt has its own connection, because one that
 * met a busy database cannot be used again (see one-connection.ts).
 */
async function take(url: string, since: string): Promise<Client | null> {
  const client = await openLock(url);
  try {
    await client.execute("BEGIN IMMEDIATE");
    await client.execute("CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, since TEXT)");
    await client.execute("DELETE FROM holder");
    const args = [process.pid, hostname(), since];
    await client.execute({ sql: "INSERT INTO holder VALUES (?, ?, ?)", args });
    await client.execute("COMMIT");
    await client.execute("BEGIN IMMEDIATE");
    return client;
  } catch (error) {
    await give(client);
    if (isBusy(error)) return null;
    throw error;
  }
}

async function openLock(url: string): Promise<Client> {
  const place = `${url.split("?", 1)[0]}-lock`;
  makePlace(place);
  const client = createClient({ url: place });
  await client.execute("PRAGMA busy_timeout = 50");
  return client;
}

/** Ends the transaction first, because a closed connection lives on until its statements are garbage-collected. */
async function give(client: Client): Promise<void> {
  await client.execute("ROLLBACK").catch(() => undefined);
  client.close();
}

async function readHolder(url: string): Promise<Holder | null> {
  const client = await openLock(url);
  try {
    const row = (await client.execute("SELECT pid, host, since FROM holder")).rows[0];
    return row ? { pid: Number(row.pid), host: String(row.host), since: String(row.since) } : null;
  } catch {
    return null;
  } finally {
    client.close();
  }
}

function held(path: string, holder: Holder | null): AppError {
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : "another process";
  const cure = "A SQLite database serves one process: stop that one, or set DATABASE_URL to another file.";
  return new AppError({ kind: "internal", message: `The database ${path} is in use by ${who}. ${cure}` });
}
