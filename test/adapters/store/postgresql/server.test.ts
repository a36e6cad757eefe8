import { afterEach, beforeEach, expect, test } from "vitest";
import { onServer, withDatabase } from "../../../../scripts/postgres-server.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

let database: FreshPostgres;
beforeEach(async () => {
  database = await freshPostgres();
});
afterEach(() => database.remove());

const set = (setting: string) =>
  database.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${setting}`);

test.each([
  ["synchronous_commit = off", "synchronous_commit is off there"],
  ["default_transaction_isolation = 'serializable'", "default_transaction_isolation must be 'read committed'"],
])("a database with %s is refused", async (setting, said) => {
  await set(setting);
  await expect(openPostgres(database.url)).rejects.toThrow(said);
});

test("so is an address that asks for it", async () => {
  await expect(openPostgres(`${database.url}?options=-c%20synchronous_commit=off`)).rejects.toThrow(
    "synchronous_commit is off there",
  );
});

test.each(["on", "local", "remote_apply"])("synchronous_commit = %s will do", async (value) => {
  await set(`synchronous_commit = ${value}`);
  await (await openPostgres(database.url)).close();
});

test("an encoding that cannot hold every text is refused", async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_ascii`;
  await database.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII'`);
  await expect(openPostgres(withDatabase(database.url, name))).rejects.toThrow("its encoding is SQL_ASCII");
  await onServer(database.url, `DROP DATABASE ${name}`);
});

test("a database without tables is refused with the command that makes them", async () => {
  await database.query('DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"');
  await expect(openPostgres(database.url)).rejects.toThrow("run `npm run migrate`");
});

test("a server that is not there is named, and no password", async () => {
  const refusal = await openPostgres("postgresql://me:geheim@127.0.0.1:9/one").catch((error: Error) => error);
  expect(refusal).toMatchObject({ name: "AppError", message: "store: asking the database failed with ECONNREFUSED" });
});

test("a server without TLS is refused where TLS is asked for", async () => {
  await expect(openPostgres(`${database.url}?sslmode=require`)).rejects.toMatchObject({
    cause: { message: "The server does not support SSL connections" },
  });
});
