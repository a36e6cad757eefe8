import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postalFacts } from "../../../fakes/postal-codes.ts";
import { sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

let shared: SharedPostgres;
beforeAll(async () => {
  shared = await sharedPostgres();
});
afterAll(() => shared.close());

/** A session of the database. */
async function session(): Promise<pg.Client> {
  const client = new pg.Client(shared.database.url);
  await client.connect();
  return client;
}

const rowsOf = async (client: pg.Client, query: string) => (await client.query<Record<string, unknown>>(query)).rows;

const INSERTS_THAT_WAIT = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO "PostalCode"%'`;

test("an import whose list another one takes away while rows of it are being inserted says that it was overtaken", async () => {
  // Who looks has no transaction: within one, the server shows its sessions as they were at the first look.
  const [table, other, looker] = [await session(), await session(), await session()];
  try {
    // The rows wait for the table, which is given free when the edition's row is held: they find the edition there, and wait for its row.
    await table.query("BEGIN");
    await table.query('LOCK TABLE "PostalCode" IN SHARE MODE');
    const replacing = shared.store.postalCodes
      .replace({ source: "table", importedAtMs: 5, codes: [postalFacts({ code: "10000" })] })
      .then(
        () => null,
        (error: unknown) => error,
      );
    await expect.poll(() => rowsOf(looker, INSERTS_THAT_WAIT)).toHaveLength(1);
    await other.query("BEGIN");
    expect(await rowsOf(other, 'SELECT "state" FROM "PostalEdition" FOR UPDATE')).toEqual([{ state: "filling" }]);
    await table.query("COMMIT");
    await expect
      .poll(() => rowsOf(looker, `${INSERTS_THAT_WAIT} AND wait_event IN ('transactionid', 'tuple')`))
      .toHaveLength(1);
    await other.query('DELETE FROM "PostalEdition"');
    await other.query("COMMIT");
    expect(await replacing).toMatchObject({ name: "AppError", kind: "superseded" });
    expect(await shared.store.postalCodes.edition()).toBeNull();
  } finally {
    await Promise.all([table, other, looker].map((client) => client.end()));
  }
});
