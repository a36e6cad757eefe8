import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import type { Client } from "@libsql/client";
import { afterEach, beforeEach, expect, test } from "vitest";

/** Verifications of a database from before the question was kept beside the verdict. */

const MIGRATIONS = new URL("../../../prisma/migrations/", import.meta.url);
const THIS = "20261122122500_a_question_beside_the_verdict";

let directory: string;
let client: Client;

async function migrate(which: (name: string) => boolean): Promise<void> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.filter(which).sort())
    await client.executeMultiple(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), "utf8"));
}

interface Old {
  carrier: string;
  outcome: string;
  baseline: string | null;
  askedAtMs: number | null;
  nextPollAtMs: number | null;
}

async function insert({ carrier, outcome, baseline, askedAtMs, nextPollAtMs }: Old): Promise<void> {
  await client.execute({
    sql: `INSERT INTO "Verification" ("shop", "connectionId", "templateId", "carrier", "outcome", "baseline", "askedAtMs",
      "changedAtMs", "polls", "nextPollAtMs", "addressKey", "timeline") VALUES ('one', 'c', 't', ?, ?, ?, ?, 1, 0, ?, 'here', '[]')`,
    args: [carrier, outcome, baseline, askedAtMs, nextPollAtMs],
  });
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "origen-migration-"));
  client = createClient({ url: `file:${join(directory, "test.db")}` });
  await migrate((name) => name < THIS);
  await client.execute("PRAGMA foreign_keys = OFF");
});

afterEach(async () => {
  client.close();
  await rm(directory, { recursive: true, force: true });
});

test("an open question becomes one, a verdict stays without, and one entry becomes a list of them", async () => {
  const entry = JSON.stringify({ status: "approved", updateState: null, verificationId: "v1" });
  await insert({ carrier: "wanted", outcome: "wanted", baseline: null, askedAtMs: null, nextPollAtMs: null });
  await insert({ carrier: "pending", outcome: "pending", baseline: entry, askedAtMs: 5, nextPollAtMs: 9 });
  await insert({ carrier: "first", outcome: "pending", baseline: null, askedAtMs: 5, nextPollAtMs: 9 });
  await insert({ carrier: "followed", outcome: "unknown", baseline: entry, askedAtMs: 5, nextPollAtMs: 9 });
  await insert({ carrier: "quoted", outcome: "unknown", baseline: entry, askedAtMs: 5, nextPollAtMs: null });
  await insert({ carrier: "accepted", outcome: "accepted", baseline: entry, askedAtMs: 5, nextPollAtMs: null });
  await insert({ carrier: "seen", outcome: "seen", baseline: null, askedAtMs: null, nextPollAtMs: null });
  await migrate((name) => name === THIS);
  const { rows } = await client.execute(
    `SELECT "carrier", "outcome", "question", "questionKey", "baseline", "addressKey" FROM "Verification"`,
  );
  const told = Object.fromEntries(
    rows.map(({ carrier, question, questionKey, baseline }) => [
      carrier,
      [question, questionKey, baseline === null ? null : (JSON.parse(String(baseline)) as unknown)],
    ]),
  );
  const list = [JSON.parse(entry)] as unknown[];
  expect(told).toEqual({
    wanted: ["wanted", "here", null],
    pending: ["asked", "here", list],
    first: ["asked", "here", []],
    followed: ["asked", "here", list],
    quoted: [null, null, list],
    accepted: [null, null, list],
    seen: [null, null, null],
  });
  expect(rows.every(({ addressKey }) => addressKey === "here")).toBe(true);
});
