import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLoopTurns } from "../../app/domain/loop-turns.ts";

/** A long work that waits for `parts` turns and writes down each. */
async function work(
  turn: ReturnType<typeof createLoopTurns>,
  { name, parts }: { name: string; parts: number },
  heard: string[],
) {
  for (let taken = 0; taken < parts; taken += 1) {
    await turn(taken);
    heard.push(name);
  }
}

test("one part goes on in each turn of the event loop", async () => {
  const heard: string[] = [];
  const turn = createLoopTurns(setImmediate);
  const works = ["a", "b", "c"].map((name) => work(turn, { name, parts: 4 }, heard));
  for (let round = 0; heard.length < 12; round += 1) {
    const before = heard.length;
    await nextTurn();
    expect(heard.length - before).toBeLessThanOrEqual(1);
    if (round > 40) throw new Error("nobody had a turn");
  }
  await Promise.all(works);
});

test("who has taken the fewest turns goes on first: a short work overtakes twenty long ones", async () => {
  const heard: string[] = [];
  const turn = createLoopTurns(setImmediate);
  const long = Array.from({ length: 20 }, (_one, index) => work(turn, { name: `long ${index}`, parts: 30 }, heard));
  while (heard.length < 200) await nextTurn();
  await work(turn, { name: "short", parts: 2 }, heard);
  const waited = heard.slice(200).lastIndexOf("short");
  expect(waited).toBeLessThan(8);
  await Promise.all(long);
});

test("short works without end do not keep a long one from its turns", async () => {
  const heard: string[] = [];
  const turn = createLoopTurns(setImmediate);
  let isOver = false;
  const long = work(turn, { name: "long", parts: 20 }, heard).then(() => (isOver = true));
  const shorts = Array.from({ length: 3 }, async () => {
    while (!isOver) await turn(0).then(() => heard.push("short"));
  });
  for (let round = 0; !isOver; round += 1) {
    await nextTurn();
    if (round > 1_000) throw new Error("the long one was never over");
  }
  await Promise.all([long, ...shorts]);
});
