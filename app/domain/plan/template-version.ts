import { mixed } from "../marker.ts";
import type { AddressTemplate } from "../records.ts";
import { COMPARED_FIELDS } from "./compared-fields.ts";
import { valuesOfTemplate } from "./three-way.ts";

/**
 * Tells one content of a template from any other. A page sends it back with a command that rests on what it showed, so that the command
 * is refused where the template has changed since. A new reading of the same values keeps it.
 */
export function versionOf(template: AddressTemplate): string {
  const values = valuesOfTemplate(template);
  return mixed(JSON.stringify(COMPARED_FIELDS.map((field) => values[field] ?? null))).toString(36);
}
