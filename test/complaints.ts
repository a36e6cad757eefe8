/**
 * What says that something is wrong without failing anything: `console.error`, `console.warn`, Node's own warnings, and the same in a
 * browser's pages. A test fails for each that it did not expect (`complaints-setup.ts`).
 */

import { STEP_MS } from "./patience.ts";

interface Complaints {
  heard: string[];
  expected: { pattern: RegExp; came: boolean }[];
}

// The setup file and a test's imports may be two copies of this module.
const HERE = Symbol.for("origen.complaints");
const all = globalThis as unknown as Record<symbol, Complaints | undefined>;
const complaints = (all[HERE] ??= { heard: [], expected: [] });

/** The test that runs brings complaints like this one, at least one of them; it fails when none comes. Not for tests side by side. */
export function expectComplaint(pattern: RegExp): void {
  complaints.expected.push({ pattern, came: false });
}

/**
 * Waits until every complaint that the running test expects has come; what did not come then fails the test as always.
 * A browser's complaints reach this process after the script that caused them has ended, so a test in the browser ends with this:
 * without it, a complaint that comes late would fail the next test.
 */
export async function expectedComplaintsCame(): Promise<void> {
  const until = performance.now() + STEP_MS;
  const came = () => complaints.expected.every((expected) => expected.came);
  while (!came() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Somebody complained just now; true when it was expected. */
export function hear(complaint: string): boolean {
  const expected = complaints.expected.find(({ pattern }) => pattern.test(complaint));
  if (expected) expected.came = true;
  else complaints.heard.push(complaint);
  return expected !== undefined;
}

/** What is wrong with the complaints since the last call: those that nobody expected, and those that did not come. */
export function takeComplaints(): string[] {
  const missing = complaints.expected.splice(0).filter(({ came }) => !came);
  return [
    ...complaints.heard.splice(0),
    ...missing.map(({ pattern }) => `expected, but it did not come: ${String(pattern)}`),
  ];
}
