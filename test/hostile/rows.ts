import { createClient } from "@libsql/client";
import pg from "pg";

/** Reads an app's database from outside, SQLite's file or PostgreSQL's. */
export interface Rows {
  /** `?` stands for each argument. */
  ask(sql: string, args: string[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export function openRows(databaseUrl: string): Rows {
  if (databaseUrl.startsWith("file:")) {
    const database = createClient({ url: databaseUrl });
    return {
      ask: async (sql, args) => (await database.execute({ sql, args })).rows,
      close: async () => database.close(),
    };
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  return {
    async ask(sql, args) {
      let number = 0;
      return (
        await pool.query<Record<string, unknown>>(
          sql.replace(/\?/g, () => `$${(number += 1)}`),
          args,
        )
      ).rows;
    },
    close: () => pool.end(),
  };
}
