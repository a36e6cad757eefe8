import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "vite";
import type { Rollup } from "vite";
import { EXTENSIONS, extensionsAreStale } from "../../../../scripts/builds/extension-bundles.ts";

/** The scripts behind the order pages: the built extensions, and the host's own two. */

const PROJECT = join(import.meta.dirname, "../../../..");

let building: Promise<void> | null = null;

/** Builds the extensions as a deploy would, when a source is newer than its build. @throws with the CLI's message. */
export function ensureBuilt(): Promise<void> {
  building ??= (extensionsAreStale() ? buildExtensions() : Promise.resolve()).finally(() => (building = null));
  return building;
}

/** The build writes its output to a file, because with a pipe Shopify's CLI would report errors for ever if this process ended first. */
async function buildExtensions(): Promise<void> {
  const said = join(PROJECT, ".cache", `build-extensions-${process.pid}.log`);
  mkdirSync(dirname(said), { recursive: true });
  const log = openSync(said, "w");
  const child = spawn(process.execPath, [join(PROJECT, "scripts/build-extensions.ts"), "--if-stale"], {
    cwd: PROJECT,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`The extensions did not build:\n${readFileSync(said, "utf8")}`);
  rmSync(said);
}

/** The file of a built bundle; null when there is none of that name. */
export function bundleFile(handle: string, file: string): string | null {
  if (!/^[\w-]+$/.test(handle) || !/^[\w-]+$/.test(file)) return null;
  const path = join(EXTENSIONS, handle, "dist", `${file}.js`);
  return existsSync(path) ? path : null;
}

const scripts = new Map<string, Promise<string>>();

/** The host's own code as one classic script, bundled once a process. */
export function hostScript(entry: "client/main.ts" | "worker/main.ts"): Promise<string> {
  const known = scripts.get(entry) ?? bundle(join(import.meta.dirname, entry));
  scripts.set(entry, known);
  return known;
}

async function bundle(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    root: PROJECT,
    publicDir: false,
    build: { write: false, minify: false, target: "es2022", lib: { entry, formats: ["iife"], name: "extensionHost" } },
  });
  const [first] = (Array.isArray(output) ? output : [output]) as Rollup.RollupOutput[];
  return first!.output[0].code;
}
