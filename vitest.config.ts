import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

// A complaint that nobody expected fails its test.
const setupFiles = ["test/complaints-setup.ts"];
// PostgreSQL's server, for whoever asks, and a folder for what is made once in a run.
const globalSetup = ["test/postgres-setup.ts", "test/run-setup.ts"];

// Tests start the app and its commands a hundred times. What Node compiled of them is kept, which halves the time of a start.
process.env.NODE_COMPILE_CACHE ??= resolve(".cache/node");

// One run, three projects. Each file of `e2e` has a sandbox and a browser of its own, so files run side by side there too.
export default defineConfig({
  // Beside what npm ci deletes: how long each file took is kept here.
  cacheDir: ".cache/vite",
  test: {
    reporters: ["default", "json"],
    // Most of a run is waiting: for slots, carriers, browsers. Vitest's own choice on two cores would be one worker. A fourth makes the
    // limiter's tests, which look at true time, late on two cores.
    minWorkers: 1,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    outputFile: { json: ".cache/test-report.json" },
    projects: [
      {
        test: {
          name: "unit",
          setupFiles,
          globalSetup,
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: ["test/e2e/**", "test/extensions/**"],
          pool: "forks",
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // What is polled for comes in a moment, on a machine that has a moment to spare.
          expect: { poll: { timeout: 10_000 } },
          // Tests of the limiter wait for true seconds, side by side.
          maxConcurrency: 24,
        },
      },
      {
        test: {
          name: "extensions",
          setupFiles,
          include: ["test/extensions/**/*.test.ts"],
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
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // As above: a page shows what a run has done only after its requests had their turn.
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
