import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { createStore } from "../../app/adapters/store/store.ts";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { readLocationAddress } from "../../app/domain/mexico/read-location.ts";
import { readPostalFiles } from "../../scripts/postal-codes/read-files.ts";
import { migrate } from "../sandbox/app-process.ts";
import { chanceFrom } from "./addresses/chance.ts";
import { freshRows } from "./addresses/fresh-rows.ts";
import { drawStyle } from "./addresses/styles.ts";
import { typeRow } from "./addresses/typist.ts";
import { runImport } from "./postal-codes/run-import.ts";
import type { BenchRow } from "./run.ts";

const LOOK_UPS = 2_000;
const READINGS = 5_000;
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * `npm run bench -- postal-codes --postal-codes P`: how long an import of P takes on SQLite, and how much memory more than another of the
 * operator's commands; how long a look-up takes, and a reading with the list.
 */
export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({ args: argv, options: { "postal-codes": { type: "string" } } });
  const list = values["postal-codes"];
  if (list === undefined) throw new Error("Name a list: --postal-codes FILE");
  const folder = mkdtempSync(join(tmpdir(), "origen-bench-postal-"));
  const url = `file:${join(folder, "origen.db")}`;
  const appKeys = `bench:${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`;
  try {
    await migrate(url);
    const env = { DATABASE_URL: url, APP_KEYS: appKeys };
    const beside = await runImport("scripts/redactions.ts", { args: [], env });
    const first = await runImport("scripts/import-postal-codes.ts", { args: [list], env });
    const again = await runImport("scripts/import-postal-codes.ts", { args: [list], env });
    const store = await createStore({ url, keys: parseKeys(appKeys), log: QUIET });
    const { codes } = readPostalFiles([list]);
    const chance = chanceFrom(1);
    const rows = freshRows(codes, { count: READINGS, chance });
    const lookUps: number[] = [];
    for (const { postal_code } of rows.slice(0, LOOK_UPS)) {
      const startMs = performance.now();
      await store.postalCodes.find(postal_code);
      lookUps.push(performance.now() - startMs);
    }
    await store.close();
    const byCode = new Map(codes.map((facts) => [facts.code, facts]));
    const typed = rows.map((row) => typeRow(row, drawStyle(chance)).address);
    const startMs = performance.now();
    for (const address of typed) readLocationAddress(address, byCode.get(address.zip ?? "") ?? null);
    const readingMs = (performance.now() - startMs) / typed.length;
    const row = (name: string, figure: number, unit: string, most: number): BenchRow => ({
      name,
      figure: Math.round(figure * 100) / 100,
      unit,
      goal: `≤ ${most}`,
      met: figure <= most,
    });
    return [
      row("the first import", first.seconds, "s", 10),
      row("an import in place of it", again.seconds, "s", 10),
      row("memory more than another command", Math.max(first.mostMb, again.mostMb) - beside.mostMb, "MB", 150),
      row("a look-up, p95", lookUps.toSorted((a, b) => a - b)[Math.floor(LOOK_UPS * 0.95)]!, "ms", 2),
      row("a reading with the list", readingMs, "ms", 1),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
