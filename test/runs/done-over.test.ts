import { expect, test } from "vitest";
import { countDoneOver, isTimeAfterTime } from "../../app/runs/done-over.ts";
import { createWorld } from "../fakes/world.ts";

const once = { asked: false };

test("what another process's run came through of is no row of tries: the next one is the first again", async () => {
  const { clock } = (await createWorld()).services;
  const item = { id: "w-1", observedGeneration: 4 };
  countDoneOver(clock, item, true);
  countDoneOver(clock, item, true);
  expect(isTimeAfterTime(clock, item, once)).toBe(false);
  const later = { ...item, observedGeneration: 5 };
  countDoneOver(clock, later, true);
  expect(isTimeAfterTime(clock, later, once)).toBe(false);
  countDoneOver(clock, later, true);
  countDoneOver(clock, later, true);
  expect(isTimeAfterTime(clock, later, once)).toBe(true);
  countDoneOver(clock, later, false);
  expect(isTimeAfterTime(clock, later, once)).toBe(false);
});
