import pg from "pg";
import { AppError } from "../../../domain/errors.ts";
import { connectionConfig, placeOf } from "./connection.ts";

interface Settings {
  commits: string;
  isolation: string;
  encoding: string;
  standby: boolean;
}

const ASK = `SELECT current_setting('synchronous_commit') AS "commits", current_setting('default_transaction_isolation') AS "isolation",
  current_setting('server_encoding') AS "encoding", pg_is_in_recovery() AS "standby"`;

/**
 * Refuses a server that may lose what it called committed, or that means something else by a transaction than the store does. Asked
 * with the app's own address, for a role and a database may have settings of their own.
 */
export async function checkServer(url: string): Promise<void> {
  const client = new pg.Client(connectionConfig(url));
  await client.connect();
  try {
    const { rows } = await client.query<Settings>(ASK);
    const fault = faultOf(rows[0]!);
    if (fault)
      throw new AppError({ kind: "internal", message: `The database ${placeOf(url)} cannot be used: ${fault}` });
  } finally {
    await client.end();
  }
}

function faultOf({ commits, isolation, encoding, standby }: Settings): string | null {
  if (standby) return "its server is a standby, which takes no writes. Set DATABASE_URL to the primary.";
  if (commits === "off") {
    return "synchronous_commit is off there, so that a crash may lose a write's announcement after the write was sent. Set it to on, for the server, the database and the role.";
  }
  if (isolation !== "read committed") return "default_transaction_isolation must be 'read committed'.";
  if (encoding !== "UTF8") return `its encoding is ${encoding}; make a database with the encoding UTF8.`;
  return null;
}
