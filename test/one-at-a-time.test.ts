import { spawn } from "node:child_process";
import { once } from "node:events";
import { utimesSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

/** Two builds of one checkout at the same moment. */

const MODULE = new URL("../scripts/builds/one-at-a-time.ts", import.meta.url).href;
const NAME = `test-${process.pid}`;

/** A process that says when its turn has come, and ends when its input does. */
function begin() {
  const script = `import { oneAtATime } from "${MODULE}"; oneAtATime("${NAME}"); console.log("mine"); process.stdin.resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const turn = once(createInterface(child.stdout), "line");
  return { child, turn, ended: once(child, "exit") };
}

test.each(["ends", "is killed"])("the second has its turn when the first %s, and not before", async (how) => {
  const first = begin();
  await first.turn;
  const second = begin();
  let isOver = false;
  const turn = second.turn.then(() => isOver);
  await new Promise((resolve) => setTimeout(resolve, 300));
  isOver = true;
  if (how === "ends") first.child.stdin.end();
  else first.child.kill("SIGKILL");
  expect(await turn).toBe(true);
  second.child.stdin.end();
  expect(await second.ended).toEqual([0, null]);
});

test("a number that was left long ago, and that another process has by now, holds up nobody", async () => {
  const lock = new URL(`../.cache/${NAME}.lock`, import.meta.url);
  writeFileSync(lock, String(process.pid));
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(lock, longAgo, longAgo);
  const only = begin();
  await only.turn;
  only.child.stdin.end();
  expect(await only.ended).toEqual([0, null]);
});
