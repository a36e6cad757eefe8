import { format } from "node:util";
import { afterAll, afterEach } from "vitest";
import { hear, takeComplaints } from "./complaints.ts";

/** Runs before each file of tests: makes a complaint that nobody expected fail the test that runs, or its file. */

// Files that share a process run this one after another: who listens already goes on listening.
const LISTENS = Symbol.for("origen.complaints.listens");
const here = globalThis as unknown as Record<symbol, boolean | undefined>;
if (!here[LISTENS]) {
  here[LISTENS] = true;
  for (const level of ["error", "warn"] as const) {
    const say = console[level].bind(console);
    console[level] = (...said: unknown[]) => {
      if (!hear(`console.${level}: ${format(...said)}`)) say(...said);
    };
  }
  process.on("warning", (warning) => hear(`Node's warning: ${warning.stack ?? warning.message}`));
}

function refuse(): void {
  const complaints = takeComplaints();
  if (complaints.length > 0) throw new Error(`Nobody expected this complaint:\n${complaints.join("\n")}`);
}

afterEach(refuse);
// Of what comes before, between and after the tests.
afterAll(refuse);
