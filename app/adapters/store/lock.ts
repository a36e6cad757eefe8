import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type Client } from "@libsql/client";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../ports.ts";
import { databasePath } from "./libsql.ts";

const ATTEMPT_EVERY_MS = 100;

interface Holder {
  pid: number;
  host: string;
  since: string;
}

/**
 * One process a SQLite database: another one would keep a second budget of its own. The lock is a write transaction that stays
 * open on a small database beside the real one, so the operating system drops it with the process, however that ends; readers
 * may still see who holds it. Waits `waitMs` for a predecessor to go, then throws an `AppError` that says what to do.
 */
export async function lockDatabase(input: { url: string; waitMs: number; log: Log }): Promise<{ release(): void }> {
  const path = databasePath(input.url);
  if (!path) return { release: () => undefined };
  const client = createClient({ url: `${input.url.replace(/\?.*$/, "")}-lock` });
  try {
    await client.execute("PRAGMA busy_timeout = 50");
    const endMs = performance.now() + input.waitMs;
    for (let attempt = 0; !(await take(client)); attempt += 1) {
      const holder = await readHolder(client);
      if (performance.now() >= endMs) throw held(path, holder);
      if (attempt === 0) input.log.warn({ path, holder }, "another process holds the database; waiting for it to end");
      await delay(ATTEMPT_EVERY_MS);
    }
    return { release: () => client.close() };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Writes down who takes the lock, then takes it; false when somebody else holds it. */
async function take(client: Client): Promise<boolean> {
  try {
    await client.execute("BEGIN IMMEDIATE");
    await client.execute("CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, since TEXT)");
    await client.execute("DELETE FROM holder");
    const args = [process.pid, hostname(), new Date().toISOString()];
    await client.execute({ sql: "INSERT INTO holder VALUES (?, ?, ?)", args });
    await client.execute("COMMIT");
    await client.execute("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    await client.execute("ROLLBACK").catch(() => undefined);
    if (isBusy(error)) return false;
    throw error;
  }
}

async function readHolder(client: Client): Promise<Holder | null> {
  try {
    const row = (await client.execute("SELECT pid, host, since FROM holder")).rows[0];
    return row ? { pid: Number(row.pid), host: String(row.host), since: String(row.since) } : null;
  } catch {
    return null;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

function held(path: string, holder: Holder | null): AppError {
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : "another process";
  return new AppError({
    kind: "internal",
    message: `The database ${path} is in use by ${who}. A SQLite database serves one process: stop that one, or set DATABASE_URL to another file.`,
  });
}
