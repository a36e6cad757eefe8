import { expect, test } from "vitest";
import { connectionConfig, openSession, placeOf } from "../../../../app/adapters/store/postgresql/connection.ts";
import { isPostgres } from "../../../../app/adapters/store/postgresql/is-postgres.ts";
import { freshPostgres } from "./fresh-postgres.ts";

const VERIFIED = { rejectUnauthorized: true };

test.each([
  ["postgresql://me@db.example.com/one", VERIFIED],
  ["postgres://me@10.0.0.1:6432/one", VERIFIED],
  ["postgresql://me@db.example.com/one?sslmode=require", VERIFIED],
  ["postgresql://me@db.example.com/one?sslmode=verify-full", VERIFIED],
  ["postgresql://me@db.example.com/one?sslmode=no-verify", { rejectUnauthorized: false }],
  ["postgresql://me@db.example.com/one?sslmode=disable", false],
  ["postgresql://me@localhost/one", false],
  ["postgresql://me@127.0.0.1/one", false],
  ["postgresql://me@[::1]/one", false],
  ["postgresql://me@localhost/one?sslmode=require", VERIFIED],
  ["postgresql:///one?host=/var/run/postgresql", false],
  ["postgresql://me@localhost/one?host=db.example.com", VERIFIED],
])("TLS of %s", (url, ssl) => {
  const config = connectionConfig(url);
  expect(config.ssl).toEqual(ssl);
  expect(config.connectionString).not.toContain("ssl");
});

test.each(["prefer", "allow", "verify-ca", "off"])(
  "sslmode=%s, which might send a password in the clear, is refused",
  (mode) => {
    expect(() => connectionConfig(`postgresql://me:geheim@db.example.com/one?sslmode=${mode}`)).toThrow(
      /^DATABASE_URL cannot be used: its sslmode is none of/,
    );
  },
);

test("every wait has an end", () => {
  const config = connectionConfig("postgresql://me@localhost/one");
  for (const name of ["statement_timeout", "query_timeout", "connectionTimeoutMillis"] as const)
    expect(config[name]).toBeGreaterThan(0);
  // The server ends a statement before the client gives its connection up.
  expect(config.statement_timeout).toBeLessThan(config.query_timeout!);
});

test("an address is told apart, and named without its password", () => {
  expect(["postgresql://a/b", "postgres://a/b", "file:postgresql://a"].map(isPostgres)).toEqual([true, true, false]);
  expect(placeOf("postgresql://me:geheim@db.example.com:6432/one?sslmode=require")).toBe("db.example.com:6432/one");
});

test("the server soon notices that the machine at the other end of a session has gone, and this one that the server has", async () => {
  const database = await freshPostgres();
  const session = await openSession(database.url, "a process");
  const said = [];
  for (const name of ["tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout"])
    said.push(Object.values((await session.query<Record<string, string>>(`SHOW ${name}`)).rows[0]!)[0]);
  expect(said).toEqual(["5", "3", "3", "14000"]);
  expect(connectionConfig(database.url)).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 5_000 });
  await session.end();
  await database.remove();
});
