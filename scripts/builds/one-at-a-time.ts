import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../.cache");
const LOOKS_EVERY_MS = 200;
/** No build takes so long: another process has the number of one that was killed. */
const LONGEST_MS = 15 * 60_000;

/**
 * Waits until no other process of this checkout does the same, and keeps others from it until this one ends. Two builds at once take each
 * other's files away. What a killed process held is free again.
 */
export function oneAtATime(name: string): void {
  const lock = join(FOLDER, `${name}.lock`);
  mkdirSync(FOLDER, { recursive: true });
  while (!isTaken(lock)) {
    if (isHeld(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOKS_EVERY_MS);
    else rmSync(lock, { force: true });
  }
  process.on("exit", () => rmSync(lock, { force: true }));
}

function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Whether the process that took it is there, and may still be at it. */
function isHeld(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LONGEST_MS) return false;
    // Who has just taken it may not have written its number yet: 0 is whoever asks.
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
