import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { extensionBundles, EXTENSIONS, extensionsAreStale } from "./builds/extension-bundles.ts";
import { oneAtATime } from "./builds/one-at-a-time.ts";

/**
 * Type-checks the extensions, builds them with Shopify's CLI (offline), and checks the size of what would be uploaded. With `--if-stale` it
 * builds only if a source has changed since the last build.
 */

const root = join(import.meta.dirname, "..");

/** Our own limit; Shopify's is 64 kB. */
const MOST_BYTES = 14_000;

/** The CLI writes into its user's home. A build must leave nothing outside the checkout, so it gets another home. */
const home = join(root, ".cache", "shopify-cli");
const HOMES = [
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
];

function run(script: string, args: string[]): void {
  const result = spawnSync(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      ...Object.fromEntries(HOMES.map((name) => [name, home])),
      CI: "1",
      SHOPIFY_CLI_NO_ANALYTICS: "1",
    },
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

oneAtATime("build-extensions");
if (process.argv.includes("--if-stale") && !extensionsAreStale()) process.exit(0);
mkdirSync(home, { recursive: true });
for (const extension of ["order-origin", "order-list"])
  run("typescript/bin/tsc", ["--project", join(EXTENSIONS, extension)]);
run("@shopify/cli/bin/run.js", ["app", "build", "--path", root, "--skip-dependencies-installation"]);

const bundles = extensionBundles();
if (bundles.length === 0) {
  console.error("The build left no bundle below extensions/*/dist");
  process.exit(1);
}
for (const bundle of bundles) {
  const bytes = gzipSync(readFileSync(join(EXTENSIONS, bundle)), { level: 9 }).length;
  const met = bytes <= MOST_BYTES;
  console.log(
    `${basename(bundle)}: ${(bytes / 1000).toFixed(1)} kB compressed (at most ${MOST_BYTES / 1000} kB)${met ? "" : " — too large"}`,
  );
  if (!met) process.exitCode = 1;
}
