import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appKeys, openFreshStore } from "../open-store.ts";
import type { OpenedStore } from "../open-store.ts";
import { runScript } from "../processes/run.ts";
import { tableOfCountry } from "./lists.ts";

/** The operator's command, as a process of its own beside a running app's store. */

const SCRIPT = join(import.meta.dirname, "../../../../scripts/import-postal-codes.ts");
/** A busy machine takes its time to start processes. */

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

async function command(name: string, content: string, ...more: string[]) {
  const path = join(directory, name);
  await writeFile(path, content);
  const env = { DATABASE_URL: opened.database.url, APP_KEYS: appKeys("k1") };
  return runScript({ script: SCRIPT, args: [...more, path], env });
}

const nameOf = async (code: string) => (await opened.store.postalCodes.find(code))?.settlements[0]?.name;

async function editionsStored(): Promise<unknown[]> {
  const client = createClient({ url: opened.database.url });
  const { rows } = await client.execute('SELECT "edition", count(*) AS "codes" FROM "PostalCode" GROUP BY "edition"');
  client.close();
  return rows.map(({ edition, codes }) => [edition, codes]);
}

test("a list is imported beside the app; a newer one replaces it; a worse one changes nothing and says why", async () => {
  const first = await command("first.tsv", tableOfCountry("old", 20));
  expect(await first.ended).toBe(0);
  expect(first.lines.join("\n")).toContain("640 of 640 stored");
  expect(await nameOf("20000")).toBe("old 0");
  expect(await (await command("newer.tsv", tableOfCountry("new", 20))).ended).toBe(0);
  expect(await nameOf("20000")).toBe("new 0");
  const cut = await command("cut.tsv", tableOfCountry("cut", 20).slice(0, -3_000));
  expect(await cut.ended).toBe(1);
  expect(cut.lines.slice(-2)).toEqual([expect.stringContaining("cut short"), "Nothing has changed."]);
  expect(await nameOf("20000")).toBe("new 0");
  const part = tableOfCountry("part", 1).split("\n").slice(0, 3).join("\n");
  expect(await (await command("part.tsv", `${part}\n`)).ended).toBe(1);
  expect(await (await command("part.tsv", `${part}\n`, "--part")).ended).toBe(0);
  expect(await opened.store.postalCodes.edition()).toMatchObject({ codes: 2 });
});

test("one that is killed half-way changes nothing, and the next one clears what it left", async () => {
  const few = tableOfCountry("few", 20);
  expect(await (await command("few.tsv", few)).ended).toBe(0);
  const killed = await command("many.tsv", tableOfCountry("many", 1_000));
  await killed.line("5,000 of 32,000 stored");
  killed.child.kill("SIGKILL");
  expect(await killed.ended).toBeNull();
  expect(await opened.store.postalCodes.edition()).toMatchObject({ number: 1, codes: 640 });
  expect(await nameOf("20000")).toBe("few 0");
  expect(await editionsStored()).toHaveLength(2);
  expect(await (await command("again.tsv", few.replaceAll("few", "again"))).ended).toBe(0);
  expect(await nameOf("20000")).toBe("again 0");
  expect(await editionsStored()).toEqual([[expect.any(Number), 640]]);
});
