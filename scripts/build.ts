import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { fingerprint, isBuiltFrom, noteBuilt } from "./builds/freshness.ts";
import { oneAtATime } from "./builds/one-at-a-time.ts";
import { bundleServer } from "./builds/server-bundle.ts";
import { SERVER } from "./builds/server-command.ts";

/**
 * Builds the app. With `--if-stale` it builds only if a source file has changed since the last build; with `--check` it builds nothing, and
 * fails with a sentence if one has.
 */

const root = join(import.meta.dirname, "..");

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

if (process.argv.includes("--check")) {
  const isFresh = isBuiltFrom(root, fingerprint(root));
  if (!isFresh) console.error('The build is missing, or older than the sources: "npm run build" makes it anew.');
  process.exit(isFresh ? 0 : 1);
}
oneAtATime("build");
const ifStale = process.argv.includes("--if-stale");
const sources = fingerprint(root);
// Prisma's clients stand below node_modules: `npm ci` takes them away and leaves the build.
run("scripts/generate.ts", ifStale ? ["--if-stale"] : []);
if (!(ifStale && isBuiltFrom(root, sources))) {
  noteBuilt(root, null);
  run("node_modules/@remix-run/dev/dist/cli.js", ["vite:build", "--sourcemapServer"]);
  compressAssets(join(root, "build/client/assets"));
  await bundleServer({ root, remix: join(root, "build/server/index.js"), to: join(root, dirname(SERVER)) });
  noteBuilt(root, sources);
}
