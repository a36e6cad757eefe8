import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";

/** A PostgreSQL server for tests and checks, and what is asked of one. */

const SCRIPT = join(import.meta.dirname, "embedded-postgres.ts");

export interface EmbeddedPostgres {
  url: string;
  /** As for an update of the server: it stops, which ends all connections, and starts again. */
  restart(): Promise<void>;
  /** Stops it for a moment to keep a copy of its data. */
  keepCopy(): Promise<void>;
  /** A standby takes over at the same address, which lacks what was committed since the copy was kept. */
  goBack(): Promise<void>;
  stop(): Promise<void>;
}

/** One of the binaries that came with `npm ci`; it ends with this process. @throws with the reason when there is none. */
export async function startEmbedded(): Promise<EmbeddedPostgres> {
  const child = spawn(process.execPath, [SCRIPT], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  const lines = createInterface({ input: child.stdout });
  const line = () => once(lines, "line") as Promise<[string]>;
  const [url] = await Promise.race([line(), ended.then(() => Promise.reject(new Error(said)))]);
  const after = async (ask: () => void) => {
    const restarted = line();
    ask();
    await restarted;
  };
  return {
    url,
    restart: () => after(() => child.kill("SIGHUP")),
    keepCopy: () => after(() => child.stdin.write("keep a copy\n")),
    goBack: () => after(() => child.stdin.write("go back\n")),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The same server's other database. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Runs statements by themselves, such as no transaction takes. */
export async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Columns, defaults, collations, keys, parents and indexes of a database, a line each. */
export async function shapeOf(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(`
      SELECT concat_ws(' ', c.table_name, c.column_name, c.data_type, c.is_nullable, c.column_default, c.collation_name) AS line
        FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.table_name <> '_prisma_migrations'
      UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND conrelid IS DISTINCT FROM to_regclass('_prisma_migrations')
      UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
      ORDER BY 1`);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}
