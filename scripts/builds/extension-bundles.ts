import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The extensions' folder, each extension a folder in it. */
export const EXTENSIONS = join(import.meta.dirname, "../../extensions");

const SOURCE = /\/(src\/.+\.tsx?|shopify\.extension\.toml)$/;
const BUNDLE = /\/dist\/[^/]+\.js$/;

function filesOf(kind: RegExp): string[] {
  const files = readdirSync(EXTENSIONS, { recursive: true, encoding: "utf8" });
  return files.filter((path) => kind.test(path.replaceAll("\\", "/")));
}

/** The built bundles, as paths below the extensions' folder. */
export function extensionBundles(): string[] {
  return filesOf(BUNDLE).sort();
}

/** Whether a source is newer than its build, or there is no build. */
export function extensionsAreStale(): boolean {
  const newest = (files: string[]): number =>
    Math.max(0, ...files.map((path) => statSync(join(EXTENSIONS, path)).mtimeMs));
  const bundles = extensionBundles();
  return bundles.length === 0 || newest(filesOf(SOURCE)) > newest(bundles);
}
