import type { AddressField, ConfirmedSplit, ContactDetails } from "../domain/address/address.ts";
import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import { differsForThem } from "../domain/address/compare.ts";
import { fold } from "../domain/address/fold.ts";
import type { FormContactField, FormField, SplitField } from "../domain/address/form-fields.ts";
import { FORM_CONTACT_FIELDS, FORM_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import { letIn } from "../domain/address/long-text.ts";
import { addressText } from "../domain/address/text.ts";
import { newDetails } from "../domain/new-records.ts";
import { ownReference } from "../domain/plan/adoption.ts";
import type { ShopRecord, StatedDetails } from "../domain/records.ts";
import { lostItsZeros, spoiltBy, unguarded } from "../domain/sheet/cells.ts";
import { judgeDetails } from "../origins/judge-details.ts";
import { addressLine } from "../pages/filter-origins.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import type { ImportChange, ImportColumn, ImportPreview, RowFault } from "../views/import.ts";

/** What one row would change of its origin, by the comparison that a form's save rests on. */

export interface JudgedRow {
  faults: RowFault[];
  harmless: Pick<ImportPreview["harmless"][number], "column" | "said">[];
  changes: ImportChange[];
  /** Null where nothing changes, or something is refused. */
  stated: StatedDetails | null;
}

export type RowCells = Partial<Record<ImportColumn, string>>;

/** How much of a cell is told. */
const LONGEST_TOLD = 80;
const told = (text: string) => (text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD).toWellFormed()}…` : text);

const SHOPIFYS: readonly ImportColumn[] = [
  "location_name",
  "shopify_address",
  ...ADDRESS_FIELDS.filter((field) => !FORM_FIELDS.some((each) => each === field)),
];

export function judgeRow(origin: OriginRecords, { cells, shop }: { cells: RowCells; shop: ShopRecord }): JudgedRow {
  const shopifys = ofShopify(origin, cells);
  const details = ofDetails(origin, cells);
  const judged = { ...shopifys, faults: [...shopifys.faults, ...details.faults], changes: details.changes };
  if (judged.changes.length === 0 || judged.faults.length > 0) return { ...judged, stated: null };
  if (origin.location.deletedAtMs !== null) return { ...judged, faults: [{ code: "deleted" }], stated: null };
  const unseen = origin.composed.problems.flatMap(({ field, code }): RowFault[] =>
    code === "unconfirmed" && unguarded(cells[field] ?? "") === ""
      ? [{ code: "problem", column: field, problem: code, said: origin.composed.fields[field].value }]
      : [],
  );
  const changes = [...judged.changes, ...guesses(origin, cells)];
  const stated = statedOf(origin, { changes, shop });
  const { problems } = judgeDetails({
    location: origin.location,
    shopContact: shop.contact,
    before: origin.details ?? newDetails(origin.location),
    stated,
    forAll: [],
  });
  const wrong = problems.map(({ field, code }) => {
    const said = changes.find((change) => change.field === field)?.to ?? null;
    return { code: "problem", column: field, problem: code, said: said === null ? null : told(said) } as const;
  });
  const faults = [...unseen, ...onePerColumn(wrong)];
  return { ...judged, changes, faults, stated: faults.length > 0 ? null : stated };
}

/** A value that is too long has no other form to be told of. */
function onePerColumn<F extends { column: AddressField }>(faults: readonly F[]): F[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.column, fault])).values()].reverse();
}

/** Values that nobody was sure of, and that stand in the file as they were read: with another change of the row they are confirmed. */
function guesses({ composed }: OriginRecords, cells: RowCells): ImportChange[] {
  return SPLIT_FIELDS.flatMap((field): ImportChange[] => {
    const { value, confidence } = composed.fields[field];
    const isGuess = confidence === "unsure" && value !== null;
    const stays =
      isGuess && unguarded(cells[field] ?? "") !== "" && !differsForThem(field, value, unguarded(cells[field]!));
    return stays ? [{ field, from: value, to: value, isGuess: true }] : [];
  });
}

function ofShopify(origin: OriginRecords, cells: RowCells): Pick<JudgedRow, "faults" | "harmless"> {
  const faults: RowFault[] = [];
  const harmless: JudgedRow["harmless"] = [];
  for (const column of SHOPIFYS) {
    const cell = cells[column] ?? "";
    const said = unguarded(cell);
    const now = inShopify(origin, column);
    if (said === "" || fold(said) === fold(now)) continue;
    if (lostItsZeros(said, now) || (spoiltBy(cell) !== null && column !== "location_name"))
      harmless.push({ column, said: told(said) });
    else faults.push({ code: "shopifys", column, said: told(said), now: told(now) });
  }
  return { faults, harmless };
}

function inShopify(origin: OriginRecords, column: ImportColumn): string {
  if (column === "location_name") return origin.location.name;
  if (column === "shopify_address") return addressLine(origin);
  return origin.composed.fields[column as AddressField].value ?? "";
}

function ofDetails({ composed }: OriginRecords, cells: RowCells): Pick<JudgedRow, "faults" | "changes"> {
  const faults: RowFault[] = [];
  const changes: ImportChange[] = [];
  for (const field of FORM_FIELDS) {
    const cell = cells[field] ?? "";
    const value = unguarded(cell);
    const now = composed.fields[field].value;
    if (value === "" || !differsForThem(field, now, value)) continue;
    const fault = faultOf(field, { cell, value, now: now ?? "" });
    if (fault) faults.push(fault);
    else changes.push({ field, from: now, to: letIn(field, value) });
  }
  return { faults, changes };
}

function faultOf(
  column: FormField,
  { cell, value, now }: { cell: string; value: string; now: string },
): RowFault | null {
  const by = spoiltBy(cell);
  if (by !== null) return { code: "spoilt", column, said: told(value), by };
  if (lostItsZeros(value, now)) return { code: "lost_zeros", column, said: told(value), now: told(now) };
  // No database keeps a NUL.
  return value.includes("\0") || !value.isWellFormed() ? { code: "unstorable", column } : null;
}

/** What the row says, with the rest as it is read. */
function statedOf(
  { location, details, composed }: OriginRecords,
  { changes, shop }: { changes: ImportChange[]; shop: ShopRecord },
): StatedDetails {
  const said = new Map<FormField, string>(changes.map(({ field, to }) => [field, to]));
  const inPlace = (field: SplitField) =>
    field === "reference" ? ownReference(composed, shop.contact) : composed.fields[field].value;
  const split = Object.fromEntries(SPLIT_FIELDS.map((field) => [field, said.get(field) ?? inPlace(field)]));
  const contact = Object.fromEntries(
    FORM_CONTACT_FIELDS.flatMap((field: FormContactField) => (said.has(field) ? [[field, said.get(field)!]] : [])),
  );
  return {
    locationId: location.locationId,
    revision: details?.revision ?? 0,
    readFrom: addressText(location.address),
    contact: contact as Partial<ContactDetails>,
    split: split as ConfirmedSplit["values"],
  };
}
