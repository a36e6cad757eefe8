import { spawn } from "node:child_process";
import { once } from "node:events";
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
