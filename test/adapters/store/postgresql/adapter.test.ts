import { afterAll, beforeAll, expect, test } from "vitest";
import { Postgres } from "../../../../app/adapters/store/postgresql/adapter.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";

let database: FreshPostgres;
beforeAll(async () => {
  database = await freshPostgres();
});
afterAll(() => database.remove());

const query = (sql: string) => ({ sql, args: [], argTypes: [] });

async function connect(config: ConstructorParameters<typeof Postgres>[1] = {}) {
  const adapter = await new Postgres(database.url, config).connect();
  return Object.assign(adapter, { [Symbol.asyncDispose]: async () => void (await adapter.dispose()) });
}

test("a COMMIT that the server turned into a ROLLBACK is a failure", async () => {
  await using adapter = await connect();
  const transaction = await adapter.startTransaction();
  await expect(transaction.executeRaw(query("SELECT nothing"))).rejects.toThrow();
  await expect(transaction.executeRaw(query("COMMIT"))).rejects.toThrow("the transaction had failed");
  await transaction.rollback();
  const next = await adapter.startTransaction();
  await next.executeRaw(query("COMMIT"));
  await next.commit();
});

test("a connection whose query was given up is used no more", async () => {
  await using adapter = await connect({ max: 1, query_timeout: 200, statement_timeout: 0 });
  const pid = async () => (await adapter.queryRaw(query("SELECT pg_backend_pid()"))).rows[0]![0];
  const before = await pid();
  const transaction = await adapter.startTransaction();
  await expect(transaction.executeRaw(query("SELECT pg_sleep(30)"))).rejects.toThrow();
  await transaction.rollback();
  expect(await pid()).not.toBe(before);
});

test("the server ends a statement that takes too long", async () => {
  await using adapter = await connect({ statement_timeout: 100 });
  await expect(adapter.executeRaw(query("SELECT pg_sleep(30)"))).rejects.toMatchObject({
    cause: { originalCode: "57014" },
  });
});

test("a script is one: functions work, and nothing of one that fails stays", async () => {
  await using adapter = await connect();
  await adapter.executeScript(
    "CREATE FUNCTION two() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 2; END; $$; CREATE TABLE kept ()",
  );
  await expect(adapter.executeScript("CREATE TABLE lost (); SELECT nothing")).rejects.toThrow();
  const { rows } = await adapter.queryRaw(query("SELECT two(), to_regclass('kept')::text, to_regclass('lost')::text"));
  expect(rows).toEqual([[2, "kept", null]]);
});

test("names of the catalogue can be read", async () => {
  await using adapter = await connect();
  const { rows } = await adapter.queryRaw(query("SELECT relname, relkind FROM pg_class WHERE relname = 'Shop'"));
  expect(rows).toEqual([["Shop", "r"]]);
});

test("the server soon notices that the machine at the other end of a transaction has gone", async () => {
  await using adapter = await connect();
  const asked = ["idle", "interval", "count"].map((name) => `current_setting('tcp_keepalives_${name}')`);
  const { rows } = await adapter.queryRaw(query(`SELECT ${asked.join()}, current_setting('tcp_user_timeout')`));
  expect(rows).toEqual([["5", "3", "3", "14000"]]);
});
