import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importPostalCodes } from "../../../../scripts/commands/import-postal-codes.ts";
import { appKeys, openFreshStore } from "../open-store.ts";
import type { OpenedStore } from "../open-store.ts";
import { runScript } from "../processes/run.ts";
import { runHere, runTruly } from "../processes/run-command.ts";
import { tableOfCountry } from "./lists.ts";

/** The operator's command, beside a running app's store. */

const SCRIPT = join(import.meta.dirname, "../../../../scripts/import-postal-codes.ts");

let opened: OpenedStore;
let directory: string;
beforeEach(async () => {
  opened = await openFreshStore();
  directory = await mkdtemp(join(tmpdir(), "origen-import-"));
});
afterEach(async () => {
  await opened.close();
  await rm(directory, { recursive: true });
});

const environment = () => ({ DATABASE_URL: opened.database.url, APP_KEYS: appKeys("k1") });

async function written(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

/** In this process; `importTruly` is for where another one is the point. */
const imported = async (name: string, content: string, ...more: string[]) =>
  runHere(importPostalCodes, [...more, await written(name, content)], environment());
const importTruly = async (name: string, content: string) =>
  runTruly("import-postal-codes", [await written(name, content)], environment());

const nameOf = async (code: string) => (await opened.store.postalCodes.find(code))?.settlements[0]?.name;

async function editionsStored(): Promise<unknown[]> {
  const client = createClient({ url: opened.database.url });
  const { rows } = await client.execute('SELECT "edition", count(*) AS "codes" FROM "PostalCode" GROUP BY "edition"');
  client.close();
  return rows.map(({ edition, codes }) => [edition, codes]);
}

test("a list is imported beside the app; a newer one replaces it; a worse one changes nothing and says why", async () => {
  const first = await importTruly("first.tsv", tableOfCountry("old", 20));
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toContain("640 of 640 stored");
  expect(await nameOf("20000")).toBe("old 0");
  expect(await imported("newer.tsv", tableOfCountry("new", 20))).toMatchObject({ code: 0 });
  expect(await nameOf("20000")).toBe("new 0");
  const cut = await importTruly("cut.tsv", tableOfCountry("cut", 20).slice(0, -3_000));
  expect(cut.code).toBe(1);
  expect(cut.stderr).toMatch(/^.*cut short.*\nNothing has changed\.\n$/);
  expect(await nameOf("20000")).toBe("new 0");
  const part = tableOfCountry("part", 1).split("\n").slice(0, 3).join("\n");
  expect(await imported("part.tsv", `${part}\n`)).toMatchObject({ code: 1 });
  expect(await imported("part.tsv", `${part}\n`, "--part")).toMatchObject({ code: 0 });
  expect(await opened.store.postalCodes.edition()).toMatchObject({ codes: 2 });
});

test("one that is killed half-way changes nothing, and the next one clears what it left", async () => {
  const few = tableOfCountry("few", 20);
  expect(await imported("few.tsv", few)).toMatchObject({ code: 0 });
  const args = [await written("many.tsv", tableOfCountry("many", 1_000))];
  const killed = runScript({ script: SCRIPT, args, env: environment() });
  await killed.line("5,000 of 32,000 stored");
  killed.child.kill("SIGKILL");
  expect(await killed.ended).toBeNull();
  expect(await opened.store.postalCodes.edition()).toMatchObject({ number: 1, codes: 640 });
  expect(await nameOf("20000")).toBe("few 0");
  expect(await editionsStored()).toHaveLength(2);
  expect(await imported("again.tsv", few.replaceAll("few", "again"))).toMatchObject({ code: 0 });
  expect(await nameOf("20000")).toBe("again 0");
  expect(await editionsStored()).toEqual([[expect.any(Number), 640]]);
});
