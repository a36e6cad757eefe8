import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { AppError } from "../../../domain/errors.ts";
import type { Log } from "../../../ports.ts";
import type { DatabaseLock, LockInput } from "../database-lock.ts";
import { connectionConfig, placeOf } from "./connection.ts";

/** Advisory locks with two keys are apart from those with one, which are the shops'. The first says whose they are. */
export const OURS = 1_330_792_775;
const THE_PROCESS = 1;

const ATTEMPT_EVERY_MS = 100;
const BEAT_EVERY_MS = 2_000;
const BEAT_WITHIN_MS = 3_000;
/** One late answer may be this process's own lateness. */
const MOST_MISSED = 2;
/** A holder whose server is gone has noticed by then, and sends no more. */
const NOTICED_WITHIN_MS = BEAT_EVERY_MS + MOST_MISSED * BEAT_WITHIN_MS;
/** The server cuts it there. */
const LONGEST_NAME = 63;

interface Holder {
  name: string;
  address: string | null;
  since: string;
}

/**
 * One process a database: a session's advisory lock, on a connection that does nothing else. The server drops it with the connection,
 * however the process ends. A connection that breaks or no longer answers is a lock that is lost: the server may have given it to
 * another process. After the server's own start whoever held it before gets time to notice. Waits `waitMs` for a predecessor to go,
 * then throws an `AppError` that says what to do.
 */
export async function lockPostgres(input: LockInput): Promise<DatabaseLock> {
  const { url, waitMs, log, onLost, settledMs = NOTICED_WITHIN_MS } = input;
  const client = await connect(url);
  let lock: DatabaseLock = { isOurs: async () => false, release: () => client.end() };
  try {
    await take(client, { url, waitMs, log });
    lock = guard(client, onLost);
    await untilSettled(client, settledMs);
    return lock;
  } catch (error) {
    await lock.release().catch(() => undefined);
    throw error;
  }
}

/** Whether a process holds the database now. */
export async function isPostgresLocked(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    return (await readHolder(client)) !== null;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const name = `origen ${process.pid} on ${hostname()}`.slice(0, LONGEST_NAME);
  const client = new pg.Client({ ...connectionConfig(url), application_name: name });
  // An error of a connection that nobody hears ends the process without a word.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function take(client: pg.Client, { url, waitMs, log }: { url: string; waitMs: number; log: Log }): Promise<void> {
  const endMs = performance.now() + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS "taken"', [
      OURS,
      THE_PROCESS,
    ]);
    if (rows[0]!.taken) return;
    const holder = await readHolder(client);
    const path = placeOf(url);
    if (performance.now() >= endMs) throw held(path, holder);
    if (attempt === 0) log.warn({ path, holder, waitMs }, "another process holds the database; waiting for it to end");
    await delay(ATTEMPT_EVERY_MS);
  }
}

/** A server that has just begun has dropped the locks of processes that may not know it yet. */
async function untilSettled(client: pg.Client, settledMs: number): Promise<void> {
  const { rows } = await client.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::float8 AS "ms"',
  );
  await delay(Math.max(0, settledMs - rows[0]!.ms));
}

function guard(client: pg.Client, onLost: () => void): DatabaseLock {
  let state: "held" | "released" | "lost" = "held";
  let missed = 0;
  let beating = false;
  const lose = () => {
    if (state !== "held") return;
    state = "lost";
    clearInterval(timer);
    onLost();
  };
  const beat = async () => {
    if (beating) return;
    beating = true;
    try {
      await client.query({ text: "SELECT 1", query_timeout: BEAT_WITHIN_MS } as pg.QueryConfig);
      missed = 0;
    } catch {
      missed += 1;
      if (missed >= MOST_MISSED) lose();
      else setImmediate(() => void beat());
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), BEAT_EVERY_MS);
  timer.unref();
  client.on("error", lose);
  client.on("end", lose);
  return {
    isOurs: async () => state === "held",
    async release() {
      if (state === "held") state = "released";
      clearInterval(timer);
      await client.end().catch(() => undefined);
    },
  };
}

async function readHolder(client: pg.Client): Promise<Holder | null> {
  const { rows } = await client.query<Holder>(
    `SELECT coalesce(a.application_name, '') AS "name", host(a.client_addr) AS "address", to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "since"
    FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = $2 AND l.objsubid = 2 AND l.granted
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [OURS, THE_PROCESS],
  );
  return rows[0] ?? null;
}

function held(path: string, holder: Holder | null): AppError {
  const at = holder?.address ? ` (connected from ${holder.address})` : "";
  const who = holder ? `the process "${holder.name}"${at}, since ${holder.since}` : "another process";
  const cure = "It serves one process for now: stop that one, or set DATABASE_URL to another database.";
  return new AppError({ kind: "internal", message: `The database ${path} is in use by ${who}. ${cure}` });
}
