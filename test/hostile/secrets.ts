import { parseArgs } from "node:util";
import pg from "pg";
import { onServer, startEmbedded, withDatabase } from "../../scripts/postgres-server.ts";
import { hits, kindsOf } from "./canaries.ts";
import { files, processes } from "./evidence.ts";
import { keptInTheClear, startSecretStage } from "./secret-stage.ts";

/**
 * `npm run test:secrets -- --levels trace,info --stores sqlite,postgresql`: looks for every secret of a shop and of the operator in every page,
 * answer, log, file, row, process, diagnostic report and crash of the built app, at every level of its log and on both stores. Then it plants a
 * leak in each place and looks whether it finds that. The last line is JSON; exit 1 where a secret was found, or a planted leak was not.
 */

const { values } = parseArgs({
  options: {
    levels: { type: "string", default: "trace,debug,info,warn,error,fatal,silent" },
    stores: { type: "string", default: "sqlite,postgresql" },
  },
});

const postgres = values.stores.includes("postgresql") ? await startEmbedded() : null;
const found: string[] = [];
const missed: string[] = [];
let runs = 0;
let looked = 0;
for (const store of values.stores.split(","))
  for (const logLevel of values.levels.split(",")) {
    const outcome = await run({ logLevel, store });
    runs += 1;
    looked += outcome.bytes;
    found.push(...outcome.found.map((hit) => `${store}, ${logLevel}: ${hit}`));
    missed.push(...outcome.missed.map((kind) => `${store}, ${logLevel}: ${kind}`));
    console.log(`${store}, ${logLevel}: ${outcome.found.length} found, ${outcome.missed.length} planted ones missed`);
  }
await postgres?.stop();
for (const line of found.slice(0, 100)) console.log(`FOUND ${line}`);
for (const line of missed) console.log(`MISSED ${line}`);
console.log(JSON.stringify({ runs, megabytes: Math.round(looked / 1e6), found: found.length, missed: missed.length }));
process.exit(found.length + missed.length === 0 ? 0 : 1);

async function run({ logLevel, store }: { logLevel: string; store: string }) {
  const databaseUrl = store === "postgresql" ? await freshDatabase(`secrets_${logLevel}`) : undefined;
  // A job of a review is furnished by looking into SQLite's file.
  const more = databaseUrl === undefined ? { furnished: true } : { databaseUrl };
  const stage = await startSecretStage({ logLevel, ...more });
  try {
    const seen = await stage.visit();
    await stage.crash();
    // After a restart and without the secrets, which a disconnect forgot.
    seen.push(...(await stage.visit()), ...(await stage.left()), ...(await ofServer(databaseUrl)));
    const canaries = await stage.canaries();
    const clean = keptInTheClear(canaries, seen).flatMap(([some, where]) => hits(some, where));
    const people = seen.filter(({ kind }) => ["log", "report", "argv", "environ"].includes(kind));
    await stage.leak(canaries.find(({ name }) => name === "client secret")!.value.toString());
    const planted = [...(await stage.visit()), ...(await stage.left()), ...(await ofServer(databaseUrl))];
    planted.push(...processes(stage.sandbox.app.pid()!, []));
    const kinds = kindsOf(hits(canaries, planted));
    const all = new Set([...planted].map(({ kind }) => kind));
    return {
      bytes: [...seen, ...planted].reduce((sum, { bytes }) => sum + bytes.length, 0),
      found: [...clean, ...hits(stage.people, people)],
      missed: [...all].filter((kind) => !kinds.includes(kind)),
    };
  } finally {
    await stage.stop();
  }
}

async function freshDatabase(name: string): Promise<string> {
  await onServer(postgres!.url, `CREATE DATABASE ${name} TEMPLATE template0`);
  return withDatabase(postgres!.url, name);
}

/** The server's own files: what it wrote of the app's rows, its log of changes included. */
async function ofServer(databaseUrl: string | undefined) {
  if (databaseUrl === undefined) return [];
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query("CHECKPOINT");
    const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
    return files(rows[0]!.data_directory).map((each) => ({ ...each, kind: "file" }));
  } finally {
    await client.end();
  }
}
