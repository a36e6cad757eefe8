import { chmodSync } from "node:fs";
import { createClient } from "@libsql/client";

/** Copies of SQLite databases. */

const WAIT_MS = 30_000;

/** Copies a database to a file that is not there yet: as it was at one moment, also while it is written. */
export async function copyDatabase(url: string, file: string): Promise<void> {
  const client = createClient({ url });
  try {
    await client.execute(`PRAGMA busy_timeout = ${WAIT_MS}`);
    // Rows move while the copy's pages are filled. Without this they would stay where they first stood, also when they are erased later.
    await client.execute("PRAGMA secure_delete = ON");
    // One reading transaction, so that what is written meanwhile is in it wholly or not at all.
    await client.execute({ sql: "VACUUM INTO ?", args: [file] });
    chmodSync(file, 0o600);
  } finally {
    client.close();
  }
}

export async function isWhole(url: string): Promise<boolean> {
  const client = createClient({ url });
  try {
    const { rows } = await client.execute("PRAGMA integrity_check");
    return rows.length === 1 && rows[0]!["integrity_check"] === "ok";
  } finally {
    client.close();
  }
}
