import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { migratePostgres } from "../../../app/adapters/store/postgresql/migrate.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { Secret } from "../../../app/domain/secret.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { startEmbedded } from "../../../scripts/postgres-server.ts";
import { KEYS, SILENT } from "../../adapters/store/open-store.ts";
import { connectionRecord, shopRecord } from "../../fakes/records.ts";

/** A PostgreSQL server of the measurement's own, whose processor time is counted and which may crash. */

export interface BenchServer {
  url: string;
  query<R extends pg.QueryResultRow>(text: string): Promise<R[]>;
  /** Of all its processes since it began; null where /proc does not tell. */
  cpuMs(): number | null;
  /** One of its processes is killed: all connections end, and it recovers. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchServer(shops: ConnectionRef[]): Promise<BenchServer> {
  const server = await startEmbedded();
  await migratePostgres({
    url: server.url,
    folder: new URL("../../../prisma/postgresql/migrations/", import.meta.url),
  });
  await connect(server.url, shops);
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  pool.on("error", () => undefined);
  const postmaster = await postmasterOf(pool);
  return {
    url: server.url,
    query: async <R extends pg.QueryResultRow>(text: string) => (await pool.query<R>(text)).rows,
    cpuMs: () => (postmaster === null ? null : cpuOf(postmaster)),
    async crash() {
      const client = await pool.connect();
      client.on("error", () => undefined);
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      const ended = new Promise((resolve) => client.once("end", resolve));
      process.kill(rows[0]!.pid, "SIGKILL");
      await ended;
      client.release(true);
    },
    async stop() {
      await pool.end();
      await server.stop();
    },
  };
}

async function connect(url: string, shops: ConnectionRef[]): Promise<void> {
  const store = await createStore({ url, keys: KEYS, log: SILENT, exclusive: false });
  for (const { id, version, shop, environment, clientId } of shops) {
    await store.shops.insert(shopRecord({ shop }));
    const clientSecret = new Secret(clientId.replace("client", "secret"));
    await store.connections.insert(
      connectionRecord({ id, version, shop, environment, clientId, clientSecret, state: "active", current: true }),
    );
  }
  await store.close();
}

/** Fields of a process's line in /proc from the third on, which is its state. */
function stat(pid: number | string): string[] | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/** The process that starts all others of the server; null where /proc does not tell. */
export async function postmasterOf(pool: pg.Pool): Promise<number | null> {
  const { rows } = await pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return parentOf(rows[0]!.pid);
}

function parentOf(pid: number): number | null {
  const fields = stat(pid);
  return fields && Number(fields[1]);
}

const MS_A_TICK = 10;

/** The processor time of a process and of those that it started, in milliseconds. */
export function cpuOf(postmaster: number): number {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = stat(pid);
    if (!fields) continue;
    const own = Number(fields[11]) + Number(fields[12]);
    // Those that have ended are counted with the one that started them.
    if (Number(pid) === postmaster) ticks += own + Number(fields[13]) + Number(fields[14]);
    else if (Number(fields[1]) === postmaster) ticks += own;
  }
  return ticks * MS_A_TICK;
}
