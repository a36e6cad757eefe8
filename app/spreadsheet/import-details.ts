import { digestOf } from "../domain/address/long-text.ts";
import { exclusionOf } from "../domain/origin-state.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import type { StatedDetails } from "../domain/records.ts";
import { unguarded } from "../domain/sheet/cells.ts";
import { startJob } from "../jobs/start-job.ts";
import type { Services } from "../ports.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import { mapInTurns } from "../runs/in-turns.ts";
import type {
  ChangedRow,
  FileFault,
  ImportAnswer,
  ImportColumn,
  ImportPreview,
  ImportRead,
  RefusedRow,
} from "../views/import.ts";
import { countKnown, importColumns } from "./import-columns.ts";
import type { ImportColumns } from "./import-columns.ts";
import { judgeRow } from "./judge-row.ts";
import type { JudgedRow, RowCells } from "./judge-row.ts";
import { createOriginFinder } from "./match-rows.ts";
import { readSheet } from "./read-sheet.ts";
import type { SheetRow } from "./read-sheet.ts";

export interface ImportInput {
  shop: string;
  /** Null: it is larger than any file may be. */
  file: Uint8Array | null;
  /** What the owner was shown and confirms; null asks what the file would change. */
  shown: string | null;
  /** Before anything is stored. @throws a 429 where the shop has stored its share */
  spend: (bytes: number) => void;
}

/** What one row of an import leaves in the database beside its own words: its part of the job, the details, a line of Activity. */
const BYTES_A_ROW = 1_500;

/**
 * What a file would change of the details of a shop's origins or, where the owner confirms what was shown, one job that changes them. If
 * anything differs from what was shown, nothing is written and the file is shown anew; the job itself passes over a row whose origin
 * changes after that. Null when the shop is unknown.
 */
export async function importDetails(services: Services, input: ImportInput): Promise<ImportAnswer | null> {
  const { shop, shown, spend } = input;
  const compared = await compareFile(services, input);
  if (!compared) return null;
  const { read, stated } = compared;
  if (shown === null) return { kind: "preview", read };
  if (read.kind !== "read" || read.shown !== shown || stated.size === 0) return { kind: "differs", read };
  spend(stated.size * BYTES_A_ROW);
  const started = await startJob(services, {
    shop,
    kind: "import",
    carriers: null,
    locationIds: [...stated.keys()],
    stated,
  });
  // A location that went in between is none of the shop's any more.
  if (started.kind === "nothing") return { kind: "differs", read };
  return started.kind === "started" ? { kind: "started", count: started.count } : { kind: "busy" };
}

interface Compared {
  read: ImportRead;
  stated: Map<string, StatedDetails>;
}

async function compareFile(
  services: Services,
  { shop, file }: Pick<ImportInput, "shop" | "file">,
): Promise<Compared | null> {
  const known = await readOriginFacts(services, { shop });
  if (!known) return null;
  const unreadable = (fault: FileFault): Compared => ({ read: { kind: "unreadable", fault }, stated: new Map() });
  if (file === null) return unreadable({ code: "too_large" });
  let columns: ImportColumns | null = null;
  const sheet = await readSheet(services.clock, {
    bytes: file,
    known: countKnown,
    choose(headings) {
      const found = importColumns(headings);
      if ("code" in found) return found;
      columns = found;
      return found.at.flatMap((column, place) => (column === null ? [] : [place]));
    },
  });
  if ("code" in sheet) return unreadable(sheet);
  const { at, ...notes } = columns!;
  const names = at.filter((column) => column !== null);
  const finder = createOriginFinder(known.origins);
  const matched = sheet.rows.map((row) => matchRow(row, names, finder.find));
  const rowsOf = Map.groupBy(matched, ({ origin }) => origin?.location.locationId ?? "");
  const judged = await mapInTurns(services.clock, matched, (row): JudgedRow => {
    const { origin, cells } = row;
    const doubled = origin ? rowsOf.get(origin.location.locationId)! : [];
    if (doubled.length > 1) {
      const others = doubled.filter((other) => other !== row).map(({ number }) => number);
      return { faults: [{ code: "doubled", rows: others.slice(0, 5) }], harmless: [], changes: [], stated: null };
    }
    if (!origin) return { faults: row.faults, harmless: [], changes: [], stated: null };
    if (row.faults.length > 0) return { faults: row.faults, harmless: [], changes: [], stated: null };
    return judgeRow(origin, { cells, shop: known.shop });
  });
  return summed(matched, { judged, rows: sheet.rows.length, encoding: sheet.encoding, ...notes });
}

interface MatchedRow {
  number: number;
  name: string;
  cells: RowCells;
  origin: OriginRecords | null;
  faults: JudgedRow["faults"];
}

function matchRow(
  { number, cells, hasMore }: SheetRow,
  columns: readonly ImportColumn[],
  find: ReturnType<typeof createOriginFinder>["find"],
): MatchedRow {
  const named = Object.fromEntries(columns.map((column, place) => [column, cells[place]])) as RowCells;
  const [id, name] = [named.location_id ?? "", named.location_name ?? ""];
  const found = find({ id, name });
  const origin = "code" in found ? null : found;
  const told = (origin?.location.name ?? (unguarded(name) || unguarded(id))).slice(0, 100).toWellFormed();
  const faults: JudgedRow["faults"] = "code" in found ? [found] : [];
  return { number, name: told, cells: named, origin, faults: hasMore ? [{ code: "more_cells" }, ...faults] : faults };
}

type Notes = Pick<ImportPreview, "encoding" | "rows" | "unknown" | "unknownCount" | "missing">;

async function summed(
  matched: readonly MatchedRow[],
  { judged, ...notes }: Notes & { judged: JudgedRow[] },
): Promise<Compared> {
  const changed: ChangedRow[] = [];
  const refused: RefusedRow[] = [];
  const stated = new Map<string, StatedDetails>();
  const harmless = new Map<ImportColumn, ImportPreview["harmless"][number]>();
  for (const [index, { number: row, name, origin }] of matched.entries()) {
    const { faults, changes, ...said } = judged[index]!;
    for (const { column, said: text } of said.harmless) {
      const before = harmless.get(column);
      harmless.set(column, before ? { ...before, count: before.count + 1 } : { column, count: 1, row, said: text });
    }
    if (faults.length > 0) refused.push({ row, name, faults });
    else if (origin && said.stated) {
      const { locationId } = origin.location;
      stated.set(locationId, said.stated);
      const isNew = exclusionOf(origin) === null && (origin.details?.confirmedAtMs ?? null) === null;
      const basis = `${said.stated.revision}.${digestOf(said.stated.readFrom)}`;
      changed.push({ row, locationId, legacyId: legacyIdOf(locationId), name, basis, isNew, changes });
    }
  }
  const shown = await sha256Of([changed, refused, [...stated.values()]]);
  const unchanged = notes.rows - changed.length - refused.length;
  const read: ImportPreview = {
    kind: "read",
    ...notes,
    unchanged,
    changed,
    refused,
    harmless: [...harmless.values()],
    shown,
  };
  return { read, stated };
}

async function sha256Of(what: unknown): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(what)));
  return Buffer.from(digest).toString("base64url");
}
