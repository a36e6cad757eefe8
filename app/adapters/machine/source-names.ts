import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { originOf, type SourceMap } from "./source-map.ts";

/**
 * Stacks that name the sources. The server runs from a bundle, which has a map beside each of its files. Node would read every map with its
 * file (`--enable-source-maps`), and hold forty megabytes for what a healthy process never asks; here one is read for a stack that is
 * logged, and let go. What is logged again and again is read once.
 */

const FRAME = /(?<url>file:\/\/\/[^\s()]+\.js):(?<line>\d{1,9}):(?<column>\d{1,9})/g;
/** So many stacks are kept, and then all are let go: more different ones are no flood of the same. */
const KEPT = 200;

const known = new Map<string, string>();

/** The same stack, with each place in a file that has a map as the place in its source, from the working directory. */
export function namingSources(stack: string): string {
  const before = known.get(stack);
  if (before !== undefined) return before;
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  const named = stack.replaceAll(FRAME, (place: string, url: string, line: string, column: string) => {
    const file = fileURLToPath(url);
    const map = mapOf(file);
    const origin = map && originOf(map, { line: Number(line) - 1, column: Number(column) - 1 });
    if (!origin) return place;
    const source = relative(process.cwd(), resolve(dirname(file), origin.source));
    return `${source}:${origin.line + 1}:${origin.column + 1}`;
  });
  if (known.size >= KEPT) known.clear();
  known.set(stack, named);
  return named;
}

/** Null where there is none: outside of the bundle. */
function readMap(file: string): SourceMap | null {
  try {
    return JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMap;
  } catch {
    return null;
  }
}
