import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { LONG_TEST_MS, STEP_MS, TEST_MS } from "./test/patience.ts";

// A complaint that nobody expected fails its test.
const setupFiles = ["test/complaints-setup.ts"];
// A folder for a run, and PostgreSQL's server in it, for whoever asks.
const globalSetup = ["test/run-setup.ts", "test/postgres-setup.ts"];

/** They look at true time. */
const TIMED = "test/adapters/shipping/**/*.test.ts";
/** They change what their process has once, such as its metrics, start servers and browsers, or play for long. */
const APART = ["bench", "http/metrics", "http/traces", "conformance", "hostile", "sandbox", "simulation"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
/** They replace modules that others use as they are, all of them the same two. */
const ACTIONS = "test/routes/**/*.test.ts";
/** They replace `fetch` before Shopify's package is imported. */
const SHOPIFY = "test/adapters/shopify/**/*.test.ts";
/** They mostly wait, for processes that they start or for a database. In a thread of `unit` all files after them would wait too. */
const WAITING = [
  "test/one-at-a-time.test.ts",
  "test/adapters/store/agreement.test.ts",
  "test/adapters/store/backup.test.ts",
  "test/adapters/store/databases-of-before.test.ts",
  "test/adapters/store/lock.test.ts",
  "test/adapters/store/opening.test.ts",
  "test/adapters/store/redactions.test.ts",
  "test/adapters/store/releases.test.ts",
  "test/adapters/store/restore.test.ts",
  "test/adapters/store/rotate-keys.test.ts",
  "test/adapters/store/postal/import.test.ts",
  "test/adapters/store/postgresql/fail-over.test.ts",
  "test/adapters/store/postgresql/lock.test.ts",
  "test/adapters/store/postgresql/migrate.test.ts",
  "test/adapters/store/postgresql/move.test.ts",
  "test/adapters/store/postgresql/processes.test.ts",
  "test/adapters/store/postgresql/scripts.test.ts",
  "test/routes/bundle.test.ts",
  "test/routes/restore.test.ts",
  "test/routes/server.test.ts",
  "test/routes/share-of-pages.test.ts",
  "test/routes/stop.test.ts",
  "test/routes/traces.test.ts",
  "test/shop/admin.test.ts",
];

// Tests start the app and its commands dozens of times. What Node compiled of them is kept, which halves the time of a start.
process.env.NODE_COMPILE_CACHE ??= resolve(".cache/node");

const PATIENCE = { testTimeout: TEST_MS, hookTimeout: LONG_TEST_MS, expect: { poll: { timeout: STEP_MS } } };
/** A test here may start one process after another, or a browser, while others do. */
const PATIENCE_WITH_PROCESSES = { ...PATIENCE, testTimeout: LONG_TEST_MS };

/** What a file imported is there for the next one. */
const SHARING = { threads: { isolate: false } };

// One run, seven projects. Each file of `e2e` has a sandbox and a browser of its own, so files run side by side there too.
export default defineConfig({
  // Beside what npm ci deletes: how long each file took is kept here.
  cacheDir: ".cache/vite",
  test: {
    reporters: ["default", "json"],
    // Much of a run is waiting: for slots, carriers, browsers, databases. Vitest's own choice on two cores would be one worker.
    poolOptions: {
      forks: { minForks: 4, maxForks: 4 },
      // Two files at a time, beside the others: one thread alone went on for minutes when all forks had ended. Importing the app anew for
      // each file took longer than most files' tests.
      threads: { isolate: false, minThreads: 2, maxThreads: 2 },
    },
    sequence: { sequencer: LongestFirst },
    outputFile: { json: ".cache/test-report.json" },
    projects: [
      {
        test: {
          name: "unit",
          setupFiles,
          globalSetup,
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: [...APART, ...WAITING, ACTIONS, SHOPIFY, TIMED, "test/e2e/**", "test/extensions/**"],
          pool: "threads",
          poolOptions: SHARING,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "actions",
          setupFiles: [...setupFiles, "test/routes/posting-setup.ts"],
          globalSetup,
          include: [ACTIONS],
          exclude: WAITING,
          pool: "threads",
          poolOptions: SHARING,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "shopify",
          setupFiles,
          globalSetup,
          include: [SHOPIFY],
          pool: "threads",
          poolOptions: SHARING,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "apart",
          setupFiles,
          globalSetup,
          include: [...APART, ...WAITING],
          pool: "forks",
          ...PATIENCE_WITH_PROCESSES,
        },
      },
      {
        test: {
          name: "timed",
          setupFiles,
          globalSetup,
          include: [TIMED],
          pool: "forks",
          ...PATIENCE,
          // Tests of the limiter wait for true seconds, side by side.
          maxConcurrency: 24,
          // After all others: beside them what they wait for would come late.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "extensions",
          setupFiles,
          include: ["test/extensions/**/*.test.ts"],
          ...PATIENCE,
          // The tester imports an extension's module itself; only inlined does Vite see and compile what it imports.
          server: { deps: { inline: ["@shopify/ui-extensions-tester"] } },
        },
      },
      {
        test: {
          name: "e2e",
          setupFiles,
          globalSetup,
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          // A page shows what a run has done only after its requests had their turn.
          ...PATIENCE_WITH_PROCESSES,
        },
      },
    ],
  },
});
