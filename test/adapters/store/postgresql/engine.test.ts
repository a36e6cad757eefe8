import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, createPostgresEngine } from "../../../../app/adapters/store/postgresql/engine.ts";
import type { Engine, Runner } from "../../../../app/adapters/store/statements/statement.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";

let database: FreshPostgres;
beforeAll(async () => {
  database = await freshPostgres();
});
afterAll(() => database.remove());

async function withEngine(
  work: (engine: Engine) => Promise<void>,
  { isPooled = false, ...config }: pg.PoolConfig & { isPooled?: boolean } = {},
): Promise<void> {
  const pool = createPool(database.url, { max: 1, ...config });
  await work(createPostgresEngine(pool, { isPooled })).finally(() => pool.end());
}

const ask = async (runner: Runner, text: string, values: unknown[] = []) =>
  Object.values((await runner.rows({ text, values }))[0]!)[0];
const pidOf = (runner: Runner) => ask(runner, "SELECT pg_backend_pid()");

test("a COMMIT that the server turned into a ROLLBACK is a failure, and the connection goes on", () =>
  withEngine(async (engine) => {
    const before = await pidOf(engine.root);
    const failing = engine.transaction("one", async (runner) => {
      await ask(runner, "SELECT nothing").catch(() => undefined);
    });
    await expect(failing).rejects.toThrow("the transaction had failed");
    expect(await engine.transaction("one", pidOf)).toBe(before);
  }));

test("a connection whose statement was given up is used no more", () =>
  withEngine(
    async (engine) => {
      const before = await pidOf(engine.root);
      await expect(engine.transaction("slow", (runner) => ask(runner, "SELECT pg_sleep(30)"))).rejects.toThrow();
      expect(await pidOf(engine.root)).not.toBe(before);
    },
    { query_timeout: 200, statement_timeout: 0 },
  ));

test("what a transaction was refused is not left behind: the next one begins anew", () =>
  withEngine(async (engine) => {
    const refused = engine.transaction("one", async (runner) => {
      await runner.write({ text: "CREATE TABLE half ()", values: [] });
      throw new Error("not after all");
    });
    await expect(refused).rejects.toThrow("not after all");
    expect(await ask(engine.root, "SELECT to_regclass('half')::text")).toBeNull();
    expect(await engine.transaction("one", (runner) => ask(runner, "SELECT to_regclass('half')::text"))).toBeNull();
  }));

test.each([
  ["is prepared once", { isPooled: false, prepared: "1" }],
  ["is not prepared behind a pooler", { isPooled: true, prepared: "0" }],
])("a statement that differs by its values alone %s", (_what, { isPooled, prepared }) =>
  withEngine(
    async (engine) => {
      for (const name of ["a", "b"])
        expect(await ask(engine.root, 'SELECT count(*) FROM "Shop" WHERE "shop" = $1', [name])).toBe("0");
      const known = await ask(
        engine.root,
        "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%\"Shop\"%' AND statement NOT LIKE '%prepared%'",
      );
      expect(known).toBe(prepared);
    },
    { isPooled },
  ),
);

test("a shop's name is a value, whatever it holds", () =>
  withEngine(async (engine) => {
    expect(await engine.transaction("it's \\ one; SELECT 1", (runner) => ask(runner, "SELECT 1"))).toBe(1);
  }));
