import { defineConfig } from "vitest/config";

// One run, two projects: `unit` in parallel; `e2e` drives one demo in one browser and so takes its files in turn.
export default defineConfig({
  test: {
    reporters: ["default", "json"],
    outputFile: { json: "build/test-report.json" },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: ["test/e2e/**"],
          pool: "forks",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          poolOptions: { forks: { singleFork: true } },
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
