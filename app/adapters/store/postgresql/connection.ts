import { readFileSync } from "node:fs";
import pg, { type ClientConfig } from "pg";
import { AppError } from "../../../domain/errors.ts";

/** The server ends a statement that takes longer; webhooks and pages are answered within this. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Then the server itself is silent, or the network: the connection is given up. */
const QUERY_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A transaction whose process is alive but stuck lets its rows go. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** After so long without a word a connection is probed by both sides, */
const PROBED_AFTER_S = 5;
const PROBED_EVERY_S = 3;
const PROBES = 3;
/** and the server gives it up: a machine whose cable was pulled would otherwise keep its locks for hours. */
const SILENT_AT_MOST_S = PROBED_AFTER_S + PROBES * PROBED_EVERY_S;

/** Not sent with the connection's first message, in which a pooler takes only names that it knows. */
const NOTICE_SILENCE = `SET tcp_keepalives_idle = ${PROBED_AFTER_S}; SET tcp_keepalives_interval = ${PROBED_EVERY_S};
  SET tcp_keepalives_count = ${PROBES}; SET tcp_user_timeout = '${SILENT_AT_MOST_S}s'`;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/**
 * How one connection is made: each wait has an end, and TLS is verified unless the server is on this machine. `sslmode` may say
 * otherwise: `disable`, `no-verify`, or `require` and `verify-full`, which both verify. `sslrootcert` names a file with the authority.
 * @throws an `AppError` that quotes nothing of the address when it will not do.
 */
export function connectionConfig(url: string): ClientConfig {
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    throw refused("it is no address");
  }
  const mode = address.searchParams.get("sslmode");
  const rootCert = address.searchParams.get("sslrootcert");
  // pg would read both in its own way.
  address.searchParams.delete("sslmode");
  address.searchParams.delete("sslrootcert");
  return {
    connectionString: address.href,
    ssl: tls({ mode, rootCert, isLocal: isLocal(address) }),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBED_AFTER_S * 1000,
    application_name: "origen",
  };
}

/** Lets the server drop the connection, and the locks on it, soon after the machine at its other end has gone without a word. */
export async function noticeSilence(client: pg.ClientBase): Promise<void> {
  await client.query(NOTICE_SILENCE);
}

/** A connection to the server itself that stays open, and is known to it by `name`. Errors on it end it, and are told by its `end`. */
export async function openSession(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionConfig(url), application_name: name });
  // An error of a connection that nobody hears ends the process without a word.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await noticeSilence(client);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
}

/** The database's name and place, for people: never its user or password. */
export function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get("host") ?? host}${pathname}`;
}

/** A folder is that of the server's socket. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get("host") ?? hostname;
  return host === "" || host.startsWith("/") || LOOPBACK.has(host);
}

function tls(input: { mode: string | null; rootCert: string | null; isLocal: boolean }): ClientConfig["ssl"] {
  const { mode, rootCert, isLocal } = input;
  if (mode === "disable" || (mode === null && rootCert === null && isLocal)) return false;
  if (mode === "no-verify") return { rejectUnauthorized: false };
  if (mode !== null && mode !== "require" && mode !== "verify-full") {
    throw refused(`its sslmode is none of disable, no-verify, require, verify-full`);
  }
  return { rejectUnauthorized: true, ...(rootCert !== null && { ca: readFileSync(rootCert, "utf8") }) };
}

function refused(why: string): AppError {
  return new AppError({ kind: "internal", message: `DATABASE_URL cannot be used: ${why}.` });
}
