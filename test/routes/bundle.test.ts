import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVER } from "../../scripts/builds/server-command.ts";
import { appKeys } from "../adapters/store/open-store.ts";
import { freshPostgres } from "../adapters/store/postgresql/fresh-postgres.ts";
import { buildApp, createAppProcess, freePort, migrate, PROJECT } from "../sandbox/app-process.ts";
import type { AppProcess } from "../sandbox/app-process.ts";
import { until } from "../sandbox/play/until.ts";

/** The server as it is built: what its process loads, and what its log says of an error. */

const FOLDER = join(PROJECT, SERVER, "..");
const SQLITE = /node_modules\/(libsql|@libsql|@prisma\/adapter-libsql)\//;
const POSTGRESQL = /node_modules\/(pg|pg-pool|pg-protocol|@prisma\/adapter-pg)\//;
const NOT_SERVED = /node_modules\/(vite|@remix-run\/dev|esbuild|iconv-lite|@opentelemetry)\//;

/** Starts the built server; `files` tells which its process has read, `sources` what these were made of. */
async function start(databaseUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), "bundle-"));
  const told = join(dataDir, "loaded.txt");
  const teller = join(dataDir, "teller.mjs");
  writeFileSync(
    teller,
    `import { appendFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    registerHooks({
      load(url, context, next) {
        appendFileSync(${JSON.stringify(told)}, url + "\\n");
        return next(url, context);
      },
    });`,
  );
  const nowhere = "http://127.0.0.1:9";
  const app = createAppProcess({
    port: await freePort(),
    dataDir,
    env: {
      NODE_ENV: "production",
      NODE_OPTIONS: `--import=${pathToFileURL(teller).href}`,
      DATABASE_URL: databaseUrl,
      APP_KEYS: appKeys("k1"),
      SHOPIFY_API_KEY: "key",
      SHOPIFY_API_SECRET: "secret",
      SHOPIFY_APP_URL: "https://origen.example.com",
      SCOPES: "read_locations",
      SHIPPING_TEST_URL: nowhere,
      SHIPPING_PRODUCTION_URL: nowhere,
      SANDBOX_ADMIN_URL: nowhere,
    },
  });
  await app.start();
  const files = () =>
    readFileSync(told, "utf8")
      .split("\n")
      .filter((url) => url.startsWith("file:"))
      .map((url) => fileURLToPath(url));
  return { app, files, sources: () => files().flatMap(sourcesOf) };
}

/** A file that is not of the bundle is its own source. */
function sourcesOf(file: string): string[] {
  if (resolve(file, "..") !== FOLDER) return [file];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: string[] };
  return sources.map((source) => resolve(FOLDER, source));
}

beforeAll(() => buildApp());

test("each file of the bundle is ASCII, or V8 would hold it at two bytes a letter", () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".js"));
  expect(files).toContain(basename(SERVER));
  expect(files.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(FOLDER, name), "utf8")))).toEqual([]);
});

describe("on SQLite", () => {
  const url = `file:${join(mkdtempSync(join(tmpdir(), "bundle-")), "origen.db")}`;
  let app: AppProcess;
  let files: () => string[];
  let sources: () => string[];

  beforeAll(async () => {
    await migrate(url);
    ({ app, files, sources } = await start(url));
  });
  afterAll(() => app?.stop());

  test("nothing of PostgreSQL is loaded, and nothing that only builds", () => {
    expect(sources().filter((source) => SQLITE.test(source))).not.toEqual([]);
    expect(sources().filter((source) => POSTGRESQL.test(source) || NOT_SERVED.test(source))).toEqual([]);
  });

  test("the app's own code comes from the bundle alone", () => {
    expect(files().filter((file) => file.startsWith(join(PROJECT, "app/")))).toEqual([]);
    for (const source of ["app/server.ts", "app/worker/worker.ts", "app/routes/app._index.tsx"])
      expect(sources()).toContain(join(PROJECT, source));
  });

  test("the stack of an error in the log names the source, not the bundle", async () => {
    const beside = createClient({ url });
    await beside.execute('ALTER TABLE "Shop" RENAME TO "Away"');
    const line = await until({
      what: "the log of the error",
      read: async () => {
        await fetch(`${app.url}/health`).then((answer) => answer.text());
        return readFileSync(app.logFile, "utf8")
          .split("\n")
          .find((each) => each.includes('"unhealthy"'));
      },
      holds: (found) => found !== undefined,
    });
    beside.close();
    const { error } = JSON.parse(line!) as { error: { stack: string } };
    expect(error.stack).toMatch(/ \(?app\/adapters\/store\/[\w/-]+\.ts:\d+:\d+/);
    expect(error.stack).not.toContain("build/process");
  });
});

test("on PostgreSQL nothing of SQLite is loaded", async () => {
  const postgres = await freshPostgres();
  try {
    const { app, sources } = await start(postgres.url);
    await app.stop();
    expect(sources().filter((source) => POSTGRESQL.test(source))).not.toEqual([]);
    expect(sources().filter((source) => SQLITE.test(source))).toEqual([]);
  } finally {
    await postgres.remove();
  }
});
