import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { oneAtATime } from "./builds/one-at-a-time.ts";

/** Builds the app. With `--if-stale` it builds only if a source file has changed since the last build. */

const root = join(import.meta.dirname, "..");
const INPUTS = [
  "app",
  "public",
  "prisma/schema.prisma",
  "package-lock.json",
  "vite.config.ts",
  "remix.config.js",
  "scripts/build.ts",
];
const stamp = join(root, "build", ".inputs");

function filesBelow(path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  const entries = readdirSync(join(root, path), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const input of INPUTS) {
    const files = /\.[a-z]+$/.test(input) ? [join(root, input)] : filesBelow(input).sort();
    for (const file of files.filter(existsSync)) hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  return hash.digest("hex");
}

function run(script: string, args: string[]): void {
  const result = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      NODE_ENV: "production",
      // Remix would otherwise write compiled code into the machine's temporary folder.
      NODE_COMPILE_CACHE: join(root, ".cache", "node"),
      DATABASE_URL: process.env.DATABASE_URL ?? "file:./.data/build.db",
    },
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * Writes each script and style sheet beside itself, as small as Brotli makes it; `app/http/built-assets.ts` sends that. Compressed at each
 * request, with the little time there is then, they are a sixth larger.
 */
function compressAssets(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => /\.(?:js|css)$/.test(each))) {
    const whole = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(whole, { params }));
  }
}

oneAtATime("build");
const ifStale = process.argv.includes("--if-stale");
const now = fingerprint();
const buildIsFresh = existsSync(stamp) && readFileSync(stamp, "utf8") === now;
// Prisma's clients stand below node_modules: `npm ci` takes them away and leaves the build.
run("scripts/generate.ts", ifStale ? ["--if-stale"] : []);
if (!(ifStale && buildIsFresh)) {
  run("node_modules/@remix-run/dev/dist/cli.js", ["vite:build"]);
  compressAssets(join(root, "build/client/assets"));
  writeFileSync(stamp, now);
}
