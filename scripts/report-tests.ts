import { readFileSync } from "node:fs";
import { join } from "node:path";

// The test run's count in one plain line, for whoever reads only the end of a log.
const report = JSON.parse(readFileSync(join(import.meta.dirname, "..", ".cache", "test-report.json"), "utf8")) as {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
};
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`);
