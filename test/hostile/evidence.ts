import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { Client } from "pg";
import { decrypt, parseKeys } from "../../app/adapters/store/encryption.ts";
import { SECRET_COLUMNS } from "../../app/adapters/store/secret-columns.ts";
import { embeddedQuery } from "../sandbox/admin/signing.ts";
import type { ShopState } from "../sandbox/admin/state.ts";
import type { Sandbox } from "../sandbox/start.ts";
import type { Canary, Evidence } from "./canaries.ts";
import { attacksOn } from "./routes.ts";
import type { createSender } from "./sender.ts";
import type { Theirs } from "./stage.ts";

/** All that somebody could get hold of who is not the process itself: answers, files, the database, what the system tells of processes. */

type Rows = Record<string, Record<string, unknown>[]>;

/** Every row of every table. */
export async function dump(url: string): Promise<Rows> {
  return url.startsWith("file:") ? dumpSqlite(url) : dumpPostgres(url);
}

async function dumpSqlite(url: string): Promise<Rows> {
  const client = createClient({ url });
  try {
    const { rows: tables } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
    const all: Rows = {};
    for (const name of tables.map((table) => String(table.name)))
      all[name] = (await client.execute(`SELECT * FROM "${name}"`)).rows as unknown as Rows[string];
    return all;
  } finally {
    client.close();
  }
}

async function dumpPostgres(connectionString: string): Promise<Rows> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const all: Rows = {};
    for (const { schema, name } of tables)
      all[name] = (await client.query<Record<string, unknown>>(`SELECT * FROM "${schema}"."${name}"`)).rows;
    return all;
  } finally {
    await client.end();
  }
}

export function dumped(rows: Rows): Evidence[] {
  return Object.entries(rows).map(([table, all]) => ({ kind: "dump", place: table, bytes: Buffer.from(textOf(all)) }));
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}

/** What every secret column holds, decrypted: a column that comes anew cannot be forgotten. */
export function secretsIn(rows: Rows, keys: string): Canary[] {
  const keyring = parseKeys(keys);
  return SECRET_COLUMNS.flatMap(({ model, field }) =>
    rows[model]!.filter(({ [field]: value }) => typeof value === "string" && value !== "").map((row) => {
      const place = { model, field, shop: String(row.shop), row: String(row.id) };
      return { name: `${model}.${field}`, value: Buffer.from(decrypt(keyring, String(row[field]), place).reveal()) };
    }),
  );
}

/** Every file below a folder. */
export function files(folder: string): Evidence[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ kind: kindOf(name), place: name, bytes: readFileSync(join(folder, name)) }));
}

function kindOf(name: string): string {
  if (name.endsWith(".log")) return "log";
  return name.startsWith("report.") ? "report" : "file";
}

/**
 * What the system tells of the process and its children; nothing where it does not tell it as Linux does. `byOperator`: names of
 * variables that the operator set, whose values are theirs to keep.
 */
export function processes(pid: number, byOperator: readonly string[]): Evidence[] {
  const folder = `/proc/${pid}`;
  if (!existsSync(folder)) return [];
  const environment = readFileSync(`${folder}/environ`, "latin1")
    .split("\0")
    .filter((entry) => !byOperator.includes(entry.slice(0, entry.indexOf("="))))
    .join("\0");
  const children = readdirSync(`${folder}/task`).flatMap((task) =>
    readFileSync(`${folder}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return [
    { kind: "argv", place: String(pid), bytes: readFileSync(`${folder}/cmdline`) },
    { kind: "environ", place: String(pid), bytes: Buffer.from(environment, "latin1") },
    ...children.flatMap((child) => processes(Number(child), byOperator)),
  ];
}

export interface Visited {
  evidence: Evidence[];
  /** The session tokens that were sent, as far as they are secret: their signatures. */
  canaries: Canary[];
}

export interface Visit {
  sandbox: Sandbox;
  state: ShopState;
  theirs: Theirs;
  token(): string;
  sender: ReturnType<typeof createSender>;
}

/**
 * What a shop's own owner gets: every route and intent as data, and every page as a document. What forgets secrets comes last, or not at all.
 */
export async function answers(
  { sandbox, state, theirs, token, sender }: Visit,
  { forgetting = true } = {},
): Promise<Visited> {
  const all = attacksOn(theirs);
  const visited: Visited = { evidence: [], canaries: [] };
  const sign = (made: string) => {
    visited.canaries.push({ name: "session token", value: Buffer.from(made.slice(made.lastIndexOf(".") + 1)) });
    return made;
  };
  const ask = async (kind: string, asked: Parameters<typeof sender.send>[0]) => {
    const { status, headers: all, text } = await sender.send(asked);
    // An address that sends its own query on tells nobody anything.
    const headers = { ...all, location: all.location?.replace(asked.path.slice(asked.path.indexOf("?")), "") };
    const place = `${asked.method} ${asked.path.split(/[?&](?:_data|embedded)=/)[0]} ${asked.body ?? ""}`.slice(0, 200);
    visited.evidence.push({ kind, place: `${place} ${status}`, bytes: Buffer.from(`${textOf(headers)}\n${text}`) });
  };
  const visit = async ({ method, path, body, route }: (typeof all)[number]) => {
    const mark = path.includes("?") ? "&" : "?";
    const isApi = path.startsWith("/api/");
    const address = isApi ? path : `${path}${mark}_data=${encodeURIComponent(`routes/${route}`)}`;
    const headers = { Authorization: `Bearer ${sign(token())}` };
    await ask("answer", { method, path: address, headers, ...(body && { body: JSON.stringify(body) }) });
    if (method !== "GET" || isApi) return;
    const query = embeddedQuery(sandbox.admin.state, state, "es-MX");
    sign(query.get("id_token")!);
    await ask("page", { method, path: `${path}${mark}${query.toString()}` });
  };
  await Promise.all(all.filter(({ body }) => !forgets(body)).map(visit));
  if (forgetting) for (const last of all.filter(({ body }) => forgets(body))) await visit(last);
  return visited;
}

function forgets(body: object | undefined): boolean {
  return (body as { intent?: string } | undefined)?.intent === "disconnect";
}
