import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `npm run test:whole`: the long form of each file of tests that has one, which is each that imports `test/whole.ts`. */

const root = join(import.meta.dirname, "..");
const files = globSync("test/**/*.ts", { cwd: root });
const importsWhole = (file: string) => readFileSync(join(root, file), "utf8").includes('/whole.ts"');
const long = files.filter((file) => file.endsWith(".test.ts") && importsWhole(file));
if (long.length === 0) throw new Error("No file of tests imports test/whole.ts: has it been renamed?");
execFileSync(join(root, "node_modules", ".bin", "vitest"), ["run", ...process.argv.slice(2), ...long], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, WHOLE: "1" },
});
