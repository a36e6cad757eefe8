import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** The files that take longest, by what they took on two cores: none of them shall begin when the rest is done. */
const LONGEST = [
  "e2e/order-block",
  "e2e/pages",
  "sandbox-tests/whole-job",
  "e2e/sixty",
  "e2e/order-page",
  "e2e/keyboard",
  "adapters/store/rotate-keys",
  "e2e/the-job",
  "e2e/order-api",
  "e2e/service-trouble",
  "simulation/simulation",
  "adapters/store/lock",
  "adapters/store/redactions",
  "sandbox-tests/app-bridge",
  "adapters/store/libsql",
  "use-cases/receive-webhook",
  "routes/server",
  "adapters/store/store",
].map((name) => `/test/${name}.test.ts`);

/** The longest first, in this order on every machine; Vitest's own knows a file's time only from an earlier run. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const longest = LONGEST.flatMap((end) => others.filter(({ moduleId }) => moduleId.endsWith(end)));
    return [...new Set([...longest, ...others])];
  }
}

// A complaint that nobody expected fails its test.
const setupFiles = ["test/complaints-setup.ts"];

// One run, three projects. Each file of `e2e` has a sandbox and a browser of its own, so files run side by side there too.
export default defineConfig({
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
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
