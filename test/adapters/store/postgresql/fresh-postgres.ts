import { randomBytes } from "node:crypto";
import pg from "pg";
import { onServer, withDatabase } from "../../../../scripts/postgres-server.ts";
import type { TestPostgres } from "../../../postgres-setup.ts";

export interface FreshPostgres {
  url: string;
  /** Runs statements beside the store, each by itself, as the server's owner. */
  query(...statements: string[]): Promise<void>;
  remove(): Promise<void>;
}

/** A migrated, empty database of its own, copied from the run's template. @throws when no server can be had. */
export async function freshPostgres(): Promise<FreshPostgres> {
  const ask = process.env.TEST_POSTGRES_ASK;
  if (!ask) throw new Error("vitest.config.ts lacks test/postgres-setup.ts in this project's globalSetup");
  const answer = await fetch(ask);
  if (!answer.ok) throw new Error(`PostgreSQL could not be started for the tests: ${await answer.text()}`);
  const { url: server, template } = (await answer.json()) as TestPostgres;
  const name = `origen_test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = withDatabase(server, name);
  const beside = new pg.Client(url);
  beside.on("error", () => undefined);
  await beside.connect();
  return {
    url,
    async query(...statements) {
      for (const statement of statements) await beside.query(statement);
    },
    async remove() {
      await beside.end();
      await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
