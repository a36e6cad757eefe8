import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { transformWithEsbuild } from "vite";
import { describe, expect, test } from "vitest";
import { originOf } from "../../../app/adapters/machine/source-map.ts";
import { namingSources } from "../../../app/adapters/machine/source-names.ts";

/** Places in a bundle, told as places in its sources. */

const SOURCE = `export interface Found { at: number }

/** Throws. */
export function lookFor(name: string): Found {
  const parts = name.split("/").map((part) => part.trim());
  if (parts.length > 2) {
    throw new Error("too many parts");
  }
  return { at: parts.indexOf("é") };
}
`;

async function compiled() {
  const { code, map } = await transformWithEsbuild(SOURCE, "look-for.ts", { minify: true, sourcemap: true });
  return { code, map: map as unknown as ConstructorParameters<typeof SourceMap>[0] };
}

describe("originOf", () => {
  test("says of every place what Node says of it", async () => {
    const { code, map } = await compiled();
    const nodes = new SourceMap(map);
    for (const [line, text] of code.split("\n").entries())
      for (let column = 0; column < text.length; column += 1) {
        const entry = nodes.findEntry(line, column);
        const told = originOf(map, { line, column });
        if ("originalSource" in entry)
          expect(told).toEqual({
            source: entry.originalSource,
            line: entry.originalLine,
            column: entry.originalColumn,
          });
      }
  });

  test("knows nothing of a line that the map does not have", async () => {
    const { map } = await compiled();
    expect(originOf(map, { line: 1_000, column: 3 })).toBeNull();
  });
});

describe("a stack", () => {
  test("names the source, its line and its column, of a file with a map", async () => {
    const folder = mkdtempSync(join(tmpdir(), "source-names-"));
    const { code, map } = await compiled();
    const file = join(folder, "bundle.js");
    writeFileSync(file, code);
    writeFileSync(`${file}.map`, JSON.stringify({ ...map, sources: ["../../app/look-for.ts"] }));
    const script = `import { lookFor } from "${pathToFileURL(file).href}";
      try { lookFor("a/b/c"); } catch (error) { console.log(error.stack); }`;
    const stack = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
    const named = namingSources(stack);
    const line = SOURCE.split("\n").findIndex((text) => text.includes("throw")) + 1;
    expect(named).toContain(`${relative(process.cwd(), join(folder, "../../app/look-for.ts"))}:${line}:`);
    expect(named).not.toContain("bundle.js");
    expect(namingSources(stack)).toBe(named);
  });

  test("stays as it is where no file has a map", () => {
    const stack = stackOf(() => JSON.parse("{"));
    expect(namingSources(stack)).toBe(stack);
    expect(namingSources("no stack at all")).toBe("no stack at all");
  });
});

function stackOf(fail: () => unknown): string {
  try {
    fail();
  } catch (error) {
    return (error as Error).stack!;
  }
  throw new Error("it did not fail");
}
