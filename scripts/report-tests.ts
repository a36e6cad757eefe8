import { readFileSync } from "node:fs";
import { join } from "node:path";

// The number of tests in one plain line, for a reader of the end of a log.
const report = JSON.parse(readFileSync(join(import.meta.dirname, "..", ".cache", "test-report.json"), "utf8")) as {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
};
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`);
