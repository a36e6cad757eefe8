import { ADDRESS_FIELDS } from "../../../domain/address/address.ts";
import type { AddressTemplate, RowFault, UnreadableRow, VerifiedCarrier } from "../../../domain/records.ts";
import type { TemplatePage } from "../../../ports.ts";
import { asBoolean, asCount, asRecord, asText, parseJson } from "./json.ts";

/** How much of a name is kept for quoting. */
const LONGEST_NAME = 200;

/**
 * Templates as answers carry them (docs/shipping-interface.md, 2.1 to 2.4). Values that we act on must be there (`id`, `address`, a list's
 * counts). Any other may be null, missing or new. A result of null means unreadable. In a list each row is read by itself. Pure.
 */

type ReadPage = Omit<TemplatePage, "unreadable" | "requestId"> & { unreadable: Omit<UnreadableRow, "requestId">[] };

export function readTemplate(body: string): AddressTemplate | null {
  const read = template(asRecord(parseJson(body))?.["data"]);
  return typeof read === "string" ? null : read;
}

export function readPage(body: string): ReadPage | null {
  const answer = asRecord(parseJson(body));
  const meta = asRecord(answer?.["meta"]);
  const data = answer?.["data"];
  const totalCount = asCount(meta?.["total_count"]);
  const totalPages = asCount(meta?.["total_pages"]);
  const page = asCount(meta?.["current_page"]);
  if (!Array.isArray(data) || totalCount === null || totalPages === null || page === null) return null;
  const templates: AddressTemplate[] = [];
  const unreadable: ReadPage["unreadable"] = [];
  for (const item of data) {
    const read = template(item);
    if (typeof read !== "string") templates.push(read);
    // A row that is left out could be the template that a create is looking for.
    else unreadable.push({ ...namesOf(item), what: read });
  }
  return { templates, unreadable, page, totalPages, totalCount };
}

/** The id and the name of a row that cannot be read, as far as it has them. */
function namesOf(item: unknown): Pick<UnreadableRow, "id" | "name"> {
  const record = asRecord(item);
  const name = record?.["alias_name"];
  return {
    id: asText(record?.["id"]) || null,
    name: typeof name === "string" ? name.slice(0, LONGEST_NAME) : null,
  };
}

function template(value: unknown): AddressTemplate | RowFault {
  const record = asRecord(value);
  if (!record) return "no_object";
  const id = asText(record["id"]);
  if (!id) return "no_id";
  const address = asRecord(record["address"]);
  if (!address) return "no_address";
  return {
    id,
    alias_name: asText(record["alias_name"]) ?? "",
    address_type: asText(record["address_type"]) ?? "",
    default: asBoolean(record["default"]),
    address: addressOf(address),
    verified_carriers: carriers(record["verified_carriers"]),
  };
}

function addressOf(record: Record<string, unknown>): AddressTemplate["address"] {
  const address: Partial<AddressTemplate["address"]> = {};
  for (const field of ADDRESS_FIELDS) address[field] = asText(record[field]);
  address.tax_id_number = asText(record["tax_id_number"]);
  address.tax_id_type = asText(record["tax_id_type"]);
  return address as AddressTemplate["address"];
}

/**
 * What is kept of a template's entries: ten times as many as a shop may ask carriers (`domain/verification/carriers.ts`), with the longest
 * name that one may have. A list without end would be stored with its template.
 */
const MOST_ENTRIES = 300;
const LONGEST_WORD = 255;

/** An entry without a carrier or a status is left out, and so is one whose words are none. */
function carriers(value: unknown): VerifiedCarrier[] {
  if (!Array.isArray(value)) return [];
  const entries: VerifiedCarrier[] = [];
  for (const item of value) {
    if (entries.length === MOST_ENTRIES) break;
    const entry = carrier(asRecord(item));
    if (entry) entries.push(entry);
  }
  return entries;
}

function carrier(record: Record<string, unknown> | null): VerifiedCarrier | null {
  const carrierName = asText(record?.["carrier_name"]);
  const status = asText(record?.["status"]);
  if (!record || !carrierName || status === null) return null;
  const updateState = asText(record["update_state"]);
  const verificationId = asText(record["verification_id"]);
  if (isTooLong(carrierName) || isTooLong(status) || isTooLong(updateState) || isTooLong(verificationId)) return null;
  return { carrier_name: carrierName, status, update_state: updateState, verification_id: verificationId };
}

function isTooLong(word: string | null): boolean {
  return word !== null && word.length > LONGEST_WORD;
}
