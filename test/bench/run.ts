import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** `npm run bench -- NAME [options]`: prints a table and keeps the same rows in `results/NAME.json`; a missed goal exits 1. */

export interface BenchRow {
  name: string;
  figure: number | string;
  unit: string;
  goal: string;
  met: boolean;
}

const folder = import.meta.dirname;
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.slice(0, -3))
  .sort();

const [name, ...argv] = process.argv.slice(2);
if (!name || !names.includes(name)) {
  console.error(`Say which: npm run bench -- NAME, where NAME is one of: ${names.join(", ")}.`);
  process.exit(2);
}

const module = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as {
  bench: (argv: string[]) => Promise<BenchRow[]>;
};
const rows = await module.bench(argv);

const cells = rows.map((row) => [row.name, String(row.figure), row.unit, row.goal, row.met ? "yes" : "MISSED"]);
const head = ["name", "figure", "unit", "goal", "met"];
const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]!.length)));
const print = (line: string[]) =>
  console.log(
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
print(head);
print(widths.map((width) => "-".repeat(width)));
cells.forEach(print);

const results = join(folder, "results");
mkdirSync(results, { recursive: true });
writeFileSync(join(results, `${name}.json`), `${JSON.stringify(rows, null, 2)}\n`);
process.exit(rows.every((row) => row.met) ? 0 : 1);
