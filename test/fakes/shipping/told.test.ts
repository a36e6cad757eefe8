import { expect, test } from "vitest";
import { refreshTemplate } from "../../../app/origins/refresh-origin.ts";
import { connectionRecord, SHOP } from "../records.ts";
import { createWorld } from "../world.ts";
import { PROMPT } from "./network.ts";
import type { CallOutcome } from "./network.ts";
import { createReadings } from "../readings.ts";
import { readerOf } from "./tokens.ts";

const BAD_GATEWAY = { kind: "server_error", afterMs: 20 } as const;

test.each<[string, CallOutcome, boolean]>([
  ["that is answered is a reading", PROMPT, true],
  ["that is answered before the service does it is none", { ...PROMPT, effectAfterMs: 40_000 }, false],
  ["that a proxy answers is none", { ...PROMPT, answer: BAD_GATEWAY }, false],
  ["that a proxy answers first is none", { ...PROMPT, effectAfterMs: 40_000, answer: BAD_GATEWAY }, false],
  ["that nobody answers is none", { ...PROMPT, answer: { kind: "silence" } }, false],
])("a GET %s", async (_title, outcome, isReading) => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.runFor();
  const { id: templateId } = world.templateOf(key)!;
  await world.clock.runFor(120_000);
  const { readings } = world.account;
  const reader = readerOf(connectionRecord().clientSecret!.reveal());
  const before = () => readings.before(templateId, { reader, atMs: world.clock.nowMs() });
  expect(before()).toBeNull();
  world.outcomeOf = () => outcome;
  void refreshTemplate(world.services, { shop: SHOP, templateId, force: true });
  await world.clock.runFor(60_000);
  expect(before() !== null).toBe(isReading);
  await world.clock.runWhile(worker.stop());
});

test("an answer that comes to a stopped process is a reading once that process has read it", () => {
  const readings = createReadings();
  const look = { reader: "one", atMs: 1_000, toldAtMs: 1_200 };
  readings.keep("t-1", { ...look, atMs: 500, toldAtMs: 600 });
  readings.keep("t-1", look);
  expect(readings.before("t-1", { reader: "one", atMs: 2_000 })).toBe(1_000);
  const heard = readings.unheard("t-1", look);
  expect(readings.before("t-1", { reader: "one", atMs: 2_000 })).toBe(500);
  heard(3_000);
  expect(readings.before("t-1", { reader: "one", atMs: 2_999 })).toBe(500);
  expect(readings.before("t-1", { reader: "one", atMs: 3_000 })).toBe(1_000);
});
