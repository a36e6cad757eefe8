import { ADDRESS_FIELDS } from "../../../domain/address.ts";
import type { AddressTemplate, VerifiedCarrier } from "../../../domain/records.ts";
import type { TemplatePage } from "../../../ports.ts";
import { asCount, asRecord, asText, parseJson } from "./json.ts";

/**
 * Templates as answers carry them (sections 2.1 to 2.4). What we act on must be there (`id`, `address`, the counts of a list);
 * the rest may be null, missing or new. Null means unreadable. Pure.
 */

export function readTemplate(body: string): AddressTemplate | null {
  return template(asRecord(parseJson(body))?.["data"]);
}

export function readPage(body: string): TemplatePage | null {
  const answer = asRecord(parseJson(body));
  const meta = asRecord(answer?.["meta"]);
  const data = answer?.["data"];
  const totalCount = asCount(meta?.["total_count"]);
  const totalPages = asCount(meta?.["total_pages"]);
  const page = asCount(meta?.["current_page"]);
  if (!Array.isArray(data) || totalCount === null || totalPages === null || page === null) return null;
  const templates: AddressTemplate[] = [];
  for (const item of data) {
    const read = template(item);
    // Leaving one out could hide the template a create is looking for.
    if (!read) return null;
    templates.push(read);
  }
  return { templates, page, totalPages, totalCount };
}

function template(value: unknown): AddressTemplate | null {
  const record = asRecord(value);
  const id = asText(record?.["id"]);
  const address = asRecord(record?.["address"]);
  if (!record || !id || !address) return null;
  const isDefault = record["default"];
  return {
    id,
    alias_name: asText(record["alias_name"]) ?? "",
    address_type: asText(record["address_type"]) ?? "",
    default: typeof isDefault === "boolean" ? isDefault : null,
    address: addressOf(address),
    verified_carriers: carriers(record["verified_carriers"]),
  };
}

function addressOf(record: Record<string, unknown>): AddressTemplate["address"] {
  const fields = ADDRESS_FIELDS.map((field) => [field, asText(record[field])] as const);
  return {
    ...(Object.fromEntries(fields) as Omit<AddressTemplate["address"], "tax_id_number" | "tax_id_type">),
    tax_id_number: asText(record["tax_id_number"]),
    tax_id_type: asText(record["tax_id_type"]),
  };
}

/** An entry that names no carrier or no status tells nothing and is passed over. */
function carriers(value: unknown): VerifiedCarrier[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    const record = asRecord(item);
    const carrierName = asText(record?.["carrier_name"]);
    const status = asText(record?.["status"]);
    if (!record || !carrierName || status === null) return [];
    return {
      carrier_name: carrierName,
      status,
      update_state: asText(record["update_state"]),
      verification_id: asText(record["verification_id"]),
    };
  });
}
