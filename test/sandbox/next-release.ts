// Another release of the app: the same code, but no script of its pages has the name that it had.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "./app-process.ts";

/** Makes it in a folder that is not there yet, which `AppProcess.start` takes. A build of its own would take half a minute. */
export function makeNextRelease(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const part of ["app", "build", "package.json"])
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  const assets = join(folder, "build/client/assets");
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const files = readdirSync(join(folder, "build"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(folder, "build", name));
  for (const file of files) writeFileSync(file, renamed(readFileSync(file, "utf8"), scripts));
  for (const name of scripts) {
    renameSync(join(assets, name), join(assets, renamed(name, scripts)));
    // Under the old name nothing is left that could be served.
    rmSync(join(assets, `${name}.br`), { force: true });
  }
  return folder;
}

/** With the names of the next release's scripts, and its version, which is that of the manifest. */
function renamed(text: string, scripts: readonly string[]): string {
  const version = scripts.map((name) => /^manifest-(\w+)\.js$/.exec(name)?.[1]).find(Boolean)!;
  // The bundle's lines may end anywhere between two tokens, and within a text, which then goes on after a backslash.
  const whole = text.replaceAll(/(?<!\\)((?:\\\\)*)\\\n/g, "$1");
  return scripts
    .reduce((now, name) => now.replaceAll(name, `next-${name}`), whole)
    .replaceAll(new RegExp(`("?version"?\\s*:\\s*)"${version}"`, "g"), `$1"next-${version}"`);
}
