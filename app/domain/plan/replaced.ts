import type { AddressTemplate, Replaced, TemplatePatch, TemplateRecord } from "../records.ts";
import { COMPARED_FIELDS } from "./compared-fields.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Field } from "./three-way.ts";

/**
 * A template's own GET may be answered from a copy that is behind the service's writes. What our writes of the last minute replaced is
 * remembered with the template. A reading that shows exactly that is no news: it shows the template as it was before.
 */

/** How long after a write's answer a GET may be behind it: two thirds of it for the copy, the rest for the GET's way. The service states nothing. */
export const GET_BEHIND_MS = 60_000;

/** So many changes within a minute are remembered, the last ones. */
const MOST = 12;

type Entry = Omit<Replaced, "reading" | "atMs">;

/** What stood in a template before an answer or a reading showed `after`. Without `said` it was changed by somebody else. */
export function changesOf(before: AddressTemplate, after: AddressTemplate, said?: TemplatePatch): Entry[] {
  const [was, is] = [valuesOfTemplate(before), valuesOfTemplate(after)];
  const ours = new Set(said ? Object.keys(valuesOfDraft(said)) : []);
  const moved = COMPARED_FIELDS.filter((field) => differs(field, was[field], is[field]));
  const entry = (by: Entry["by"], fields: Field[]): Entry[] =>
    fields.length === 0 ? [] : [{ by, was: Object.fromEntries(fields.map((field) => [field, was[field] ?? null])) }];
  return [
    ...entry(
      "update",
      moved.filter((field) => ours.has(field)),
    ),
    ...entry(
      "other",
      moved.filter((field) => !ours.has(field)),
    ),
  ];
}

/** What carriers' entries were before the answer to a question showed `after`. */
export function wordsBefore(before: AddressTemplate, after: AddressTemplate): Entry[] {
  const carriers = [...before.verified_carriers, ...after.verified_carriers].map(({ carrier_name }) => carrier_name);
  const moved = [...new Set(carriers)].filter((carrier) => wordsOf(before, carrier) !== wordsOf(after, carrier));
  if (moved.length === 0 || after.verified_carriers.length === 0) return [];
  return [{ by: "question", was: Object.fromEntries(moved.map((carrier) => [carrier, wordsOf(before, carrier)])) }];
}

/** What is remembered once something more was replaced; null for nothing. */
export function withReplaced(kept: Replaced[], entries: Entry[], when: Pick<Replaced, "reading" | "atMs">) {
  const all = [...kept, ...entries.map((entry) => ({ ...entry, ...when }))];
  return all.length > 0 ? all.slice(-MOST) : null;
}

/**
 * Whether a reading shows the template as it was before one of our writes: all that this write changed shows what stood there before it,
 * and everything else shows what stands there now or stood there within the same time. A third value is somebody's word: written after our
 * write, or before it and never shown to us. Where none of the fields that the write changed shows what it wrote, and several show what stood
 * before, it was written before, for nobody takes back several of them within the minute.
 */
export function isBehind(
  shown: AddressTemplate,
  { template }: Pick<TemplateRecord, "template">,
  replaced: readonly Replaced[],
): boolean {
  const [then, now] = [valuesOfTemplate(shown), valuesOfTemplate(template)];
  const moved = COMPARED_FIELDS.filter((field) => then[field] !== undefined && differs(field, then[field], now[field]));
  const stood = (field: Field) => replaced.some((each) => isOfFields(each) && showsBefore(each, field, then[field]));
  const hasThird = !moved.every(stood);
  return replaced.some((each) => {
    const fields = Object.keys(each.was);
    switch (each.by) {
      case "update": {
        const before = (fields as Field[]).filter((field) => showsBefore(each, field, then[field]));
        if (!hasThird) return before.length === fields.length && moved.some((field) => field in each.was);
        return before.length > 1 && fields.every((field) => moved.includes(field as Field));
      }
      case "question":
        return (
          !hasThird &&
          fields.every((carrier) => wordsOf(shown, carrier) === each.was[carrier]) &&
          fields.some((carrier) => wordsOf(template, carrier) !== each.was[carrier])
        );
      default:
        return false;
    }
  });
}

function isOfFields({ by }: Replaced): boolean {
  return by === "update" || by === "other";
}

function showsBefore({ was }: Replaced, field: Field, value: string | null | undefined): boolean {
  return field in was && !differs(field, was[field], value);
}

function wordsOf({ verified_carriers }: AddressTemplate, carrier: string): string {
  return JSON.stringify(
    verified_carriers
      .filter((entry) => entry.carrier_name === carrier)
      .map(({ status, update_state, verification_id }) => [status, update_state, verification_id]),
  );
}
