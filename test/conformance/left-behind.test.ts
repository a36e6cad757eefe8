import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { standInOf } from "./ask.ts";
import { DIALECTS } from "./dialects.ts";

/** What becomes of scratch templates when something goes wrong. */

const OURS = /^ORIGEN-/;

async function service() {
  const asked = await standInOf(DIALECTS["as assumed"]!);
  onTestFinished(asked.end);
  const names = () => asked.standIn.templates("test-client-1", "test").map(({ alias_name }) => String(alias_name));
  return { ...asked, names };
}

test("a create whose answer was lost is found by its name, and deleted", async () => {
  const { standIn, run, names } = await service();
  standIn.faults.set({ kind: "lost-reply", operations: ["create"], next: 2 });
  const ended = await run();
  expect(standIn.report().faults).toMatchObject({ "lost-reply": 2 });
  expect(standIn.report().creates).toBeGreaterThanOrEqual(3);
  expect(names()).toEqual([]);
  expect(ended.left).toEqual([]);
});

test("a create that takes effect long after its answer was lost is waited for, and deleted", async () => {
  const { standIn, run, names } = await service();
  standIn.faults.set({ kind: "late-effect", operations: ["create"], next: 1, delayMs: 2_500, answer: "error" });
  const ended = await run();
  expect(standIn.report().pendingEffects).toBe(0);
  expect(names()).toEqual([]);
  expect(ended.left).toEqual([]);
});

test("a deletion whose answer was lost is not taken for one that failed", async () => {
  const { standIn, run, names } = await service();
  standIn.faults.set({ kind: "lost-reply", operations: ["delete"], next: 1 });
  const ended = await run();
  expect(names()).toEqual([]);
  expect(ended.left).toEqual([]);
});

test("a run that is stopped deletes what it has made", async () => {
  const { standIn, run, names } = await service();
  const stop = new AbortController();
  const ended = run({ signal: stop.signal });
  await expect.poll(() => names().filter((name) => OURS.test(name)).length).toBeGreaterThanOrEqual(2);
  stop.abort();
  expect((await ended).stopped).toBe("stopped by hand");
  expect(names()).toEqual([]);
  expect(standIn.report().creates).toBe((await ended).counts.deleted);
});

test("what cannot be deleted is named, and the next run deletes it, and nothing else", async () => {
  const { standIn, run, names, journal, folder } = await service();
  const theirs = { alias_name: "ORIGEN-00000001-99 de una persona", address_type: "from", default: false };
  standIn.createTemplate("test-client-1", { ...theirs, address_attributes: { name: "Alguien" } });
  standIn.faults.set({ kind: "invalid", operations: ["delete"], fields: { base: ["no"] } });
  const ended = await run();
  expect(ended.left.length).toBeGreaterThanOrEqual(3);
  expect(ended.left.every(({ id, name }) => id !== null && OURS.test(name))).toBe(true);
  standIn.faults.clear();
  // A kill may cut the journal's last line in half.
  appendFileSync(join(folder, "journal.jsonl"), '{"event":"anno');
  const cleaned = await run({ cleanOnly: true });
  expect(cleaned.left).toEqual([]);
  expect(names()).toEqual([theirs.alias_name]);
  expect(journal).toBeDefined();
});

test("credentials that the service refuses end the run with that, and nothing was made", async () => {
  const { standIn, run } = await service();
  standIn.faults.set({ kind: "invalid-client" });
  const ended = await run();
  expect(ended.stopped).toMatch(/refuses/);
  expect(standIn.report().creates).toBe(0);
});
