import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { AppError } from "../../../domain/errors.ts";
import type { DatabaseLock, LockInput } from "../database-lock.ts";
import { openSession, placeOf } from "./connection.ts";

/** Advisory locks with two keys are apart from those with one, which are the shops'. The first says whose they are. */
export const OURS = 1_330_792_775;
const THE_PROCESS = 1;

const ATTEMPT_EVERY_MS = 100;
const AGAIN_MS = 1_000;
const BEAT_EVERY_MS = 5_000;
const BEAT_WITHIN_MS = 3_000;
/** The server cuts it there. */
const LONGEST_NAME = 63;

interface Holder {
  name: string;
  address: string | null;
  since: string;
}

/**
 * Says that an app works on this database: a session's advisory lock, shared by all processes of the app, on a connection that does nothing
 * else. The server drops it with the connection, however the process ends. `alone`: nobody else has it, as a move between databases
 * needs; a release that allowed one process took it so, too. Nothing that is sent rests on it, for slots and leases are rows: when the
 * connection breaks, it is taken again. Waits `waitMs` for whoever is alone to go, then throws an `AppError` that says what to do.
 */
export async function lockPostgres(input: LockInput): Promise<DatabaseLock> {
  const { url, log, alone = false } = input;
  let client = await taken(input);
  let released = false;
  let lost = false;
  let again: NodeJS.Timeout | null = null;

  const hold = (held: pg.Client) => {
    client = held;
    held.on("error", lose);
    held.on("end", lose);
  };
  const lose = () => {
    if (released || again) return;
    lost = true;
    void client.end().catch(() => undefined);
    if (!alone) again = setTimeout(() => void retake(), AGAIN_MS).unref();
  };
  const retake = async () => {
    try {
      const held = await taken({ ...input, waitMs: 0 });
      if (released) return void (await held.end().catch(() => undefined));
      again = null;
      lost = false;
      hold(held);
    } catch (error) {
      log.warn({ path: placeOf(url), error }, "the database does not show that this process works on it; trying again");
      if (!released) again = setTimeout(() => void retake(), AGAIN_MS).unref();
    }
  };
  const beat = setInterval(() => {
    const asked = client;
    asked
      .query({ text: "SELECT 1", query_timeout: BEAT_WITHIN_MS } as pg.QueryConfig)
      .catch(() => asked === client && lose());
  }, BEAT_EVERY_MS);
  beat.unref();
  hold(client);

  return {
    alone,
    isOurs: async () => !alone || !lost,
    async release() {
      released = true;
      clearInterval(beat);
      if (again) clearTimeout(again);
      await client.end().catch(() => undefined);
    },
  };
}

/** Whether a process works on the database now. */
export async function isPostgresLocked(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    return (await readHolder(client)) !== null;
  } finally {
    await client.end();
  }
}

function connect(url: string): Promise<pg.Client> {
  return openSession(url, `origen ${process.pid} on ${hostname()}`.slice(0, LONGEST_NAME));
}

async function taken(input: LockInput): Promise<pg.Client> {
  const client = await connect(input.url);
  try {
    await take(client, input);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function take(client: pg.Client, { url, waitMs, log, alone = false }: LockInput): Promise<void> {
  const endMs = performance.now() + waitMs;
  const call = alone ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${call}($1, $2) AS "taken"`, [OURS, THE_PROCESS]);
    if (rows[0]!.taken) return;
    const holder = await readHolder(client);
    const path = placeOf(url);
    if (performance.now() >= endMs) throw held(path, holder);
    if (attempt === 0) log.warn({ path, holder, waitMs }, "another process holds the database; waiting for it to end");
    await delay(ATTEMPT_EVERY_MS);
  }
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
  const cure = "Stop it first, or set DATABASE_URL to another database.";
  return new AppError({ kind: "internal", message: `The database ${path} is in use by ${who}. ${cure}` });
}
