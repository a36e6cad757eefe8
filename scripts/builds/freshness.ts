import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Whether the build there is was made from the sources there are, by what is in them and not by when they were written. */

/** All that decides what a build is. */
const INPUTS = [
  "app",
  "public",
  "prisma/schema.prisma",
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "remix.config.js",
  "scripts/build.ts",
  "scripts/builds",
];
const STAMP = "build/.inputs";

/** The sources in a word, by which `isBuiltFrom` knows them again. */
export function fingerprint(root: string): string {
  const hash = createHash("sha256");
  for (const input of INPUTS) {
    const files = /\.[a-z]+$/.test(input) ? [join(root, input)] : filesBelow(join(root, input)).sort();
    for (const file of files.filter(existsSync)) hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  return hash.digest("hex");
}

export function isBuiltFrom(root: string, sources: string): boolean {
  const stamp = join(root, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
}

/** Null: there is no whole build, for one has begun or has failed. */
export function noteBuilt(root: string, sources: string | null): void {
  if (existsSync(join(root, "build"))) writeFileSync(join(root, STAMP), sources ?? "");
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
