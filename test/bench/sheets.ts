import { execFile } from "node:child_process";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { chunksOf } from "../../app/domain/chunks.ts";
import type { Services } from "../../app/ports.ts";
import { exportOrigins } from "../../app/spreadsheet/export-origins.ts";
import { importDetails } from "../../app/spreadsheet/import-details.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import { SERVER_FLAGS } from "../../scripts/builds/server-command.ts";
import { openFreshStore } from "../adapters/store/open-store.ts";
import { activityRecord, connectionRecord, locationGid, NOW_MS, shopRecord, SHOP } from "../fakes/records.ts";
import type { BenchRow } from "./run.ts";
import { loadWords } from "./sheets/words.ts";
import { openCrowdedShop } from "./stretches/crowded-shop.ts";

/**
 * Spreadsheets at their largest: what a file of 10,000 rows would change, with each row changed, how long that holds up everything else,
 * and how much memory a file of 100,000 lines of activity takes while it is given out. The true store; no HTTP.
 */

const ROWS = 10_000;
const LINES = 100_000;
const PREVIEW_MS = 3_000;
/** How long another shop's page may wait for a part of it. */
const STRETCH_MS = 250;
const GROWTH_MB = 40;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({ args: argv, options: { only: { type: "string" } } });
  const wanted = (part: string) => values.only === undefined || values.only === part;
  return [...(wanted("preview") ? await preview() : []), ...(wanted("memory") ? await memory() : [])];
}

async function preview(): Promise<BenchRow[]> {
  for (const language of ["en", "es-MX"] as const) loadWords(language);
  console.log(`Preparing ${ROWS} locations …`);
  const crowded = await openCrowdedShop({ locations: ROWS, templates: 0 });
  try {
    const { services } = crowded;
    const file = await changedFile(services);
    const rows: BenchRow[] = [];
    for (const state of ["first", "again"] as const) {
      if (state === "first") await crowded.changeSomething();
      const asked = { shop: SHOP, file, shown: null, spend: () => undefined };
      const { tookMs, heldMs } = await timed(async () => {
        const answer = await importDetails(services, asked);
        const text = JSON.stringify(answer);
        const read = answer?.kind === "preview" && answer.read.kind === "read" ? answer.read : null;
        if (read?.changed.length !== ROWS) throw new Error(text.slice(0, 300));
      });
      rows.push(row(`preview of ${ROWS} changed rows, ${state}`, tookMs, "ms", PREVIEW_MS));
      rows.push(row(`the longest it held the process, ${state}`, heldMs, "ms", STRETCH_MS));
    }
    return rows;
  } finally {
    await crowded.close();
  }
}

/** The file of all origins, in which a person changed two columns. */
async function changedFile(services: Services): Promise<Uint8Array> {
  const sheet = (await exportOrigins(services, { shop: SHOP, query: ALL_ORIGINS, language: "es-MX" }))!;
  let text = "";
  for await (const part of sheet.text) text += part;
  const cells = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  for (const one of cells) Object.assign(one, { Empresa: "Taller Copal", "Nombre de contacto": "Eva Luna" });
  return Buffer.from(`\uFEFF${stringify(cells, { header: true, record_delimiter: "\r\n" })}`);
}

/** How long the work took, and the longest that anything else had to wait meanwhile. */
async function timed(work: () => Promise<void>): Promise<{ tookMs: number; heldMs: number }> {
  let [last, heldMs] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    heldMs = Math.max(heldMs, now - last);
    last = now;
  }, 1);
  const startedMs = performance.now();
  await work();
  const tookMs = performance.now() - startedMs;
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return { tookMs, heldMs };
}

async function memory(): Promise<BenchRow[]> {
  console.log(`Preparing ${LINES} lines of activity …`);
  const { store, database, close } = await openFreshStore();
  try {
    await store.shops.insert(shopRecord());
    // What is exported is of the account in use.
    await store.connections.insert(connectionRecord());
    for (const some of chunksOf(
      Array.from({ length: LINES }, (_one, index) => index),
      400,
    ))
      await store.transaction(SHOP, (tables) => tables.activity.insertAll(some.map(lineAt)));
    await store.close();
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...SERVER_FLAGS,
      join(import.meta.dirname, "sheets", "processes", "download.ts"),
      database.url,
    ]);
    const told = JSON.parse(stdout.trim().split("\n").at(-1)!) as Record<"grew" | "tookMs" | "lines" | "bytes", number>;
    if (told.lines !== LINES + 1) throw new Error(`The file has ${told.lines} lines`);
    console.log(`${Math.round(told.bytes / 1e6)} MB in ${Math.round(told.tookMs)} ms`);
    return [row(`memory of a file of ${LINES} lines of activity`, told.grew / 1024 / 1024, "MB", GROWTH_MB)];
  } finally {
    await close();
  }
}

function lineAt(index: number) {
  return activityRecord({
    id: `line-${String(index).padStart(6, "0")}`,
    atMs: NOW_MS + Math.floor(index / 3),
    kind: index % 2 === 0 ? "template_updated" : "details_saved",
    actor: index % 2 === 0 ? "sync" : "owner",
    locationId: locationGid(1 + (index % 500)),
    locationName: `Sucursal ${index % 500}`,
    templateId: `template-${index % 500}`,
    fields: [{ field: "reference", from: `Portón verde ${index}`, to: `Portón azul ${index}` }],
    requestId: `request-${index}`,
  });
}

function row(name: string, figure: number, unit: string, most: number): BenchRow {
  return { name, figure: Math.round(figure), unit, goal: `≤ ${most}`, met: figure <= most };
}
