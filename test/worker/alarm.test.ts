import { expect, test } from "vitest";
import { createAlarm } from "../../app/worker/wake-up.ts";
import { createVirtualClock } from "../fakes/clock.ts";

function play() {
  const clock = createVirtualClock();
  const beganMs = clock.monotonicMs();
  const rungMs: number[] = [];
  const alarm = createAlarm(clock, () => void rungMs.push(clock.monotonicMs() - beganMs));
  return { clock, alarm, rungMs };
}

test("what is due now rings at once", () => {
  const { alarm, rungMs } = play();
  alarm.set();
  expect(rungMs).toEqual([0]);
});

test("of what is due later the first rings, once for all that were said by then", async () => {
  const { clock, alarm, rungMs } = play();
  alarm.set(500);
  alarm.set(300);
  alarm.set(400);
  await clock.runFor(299);
  expect(rungMs).toEqual([]);
  await clock.runFor(1_000);
  expect(rungMs).toEqual([300]);
});

test("what is said after a ring rings again, and a cancelled one does not", async () => {
  const { clock, alarm, rungMs } = play();
  alarm.set(100);
  await clock.runFor(150);
  alarm.set(100);
  await clock.runFor(150);
  alarm.set(100);
  alarm.cancel();
  await clock.runFor(150);
  expect(rungMs).toEqual([100, 250]);
});
