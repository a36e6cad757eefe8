import type { RepeatedField } from "../../domain/address/form-fields.ts";
import type { ReviewRowView } from "../../views/review.ts";
import type { ReviewEdits, RowEdits } from "./review-state.ts";
import { typedIn, withBasis } from "./review-state.ts";

/** One value, copied from a row into others that lacked it, with what those had before. */
export interface Fill {
  field: RepeatedField;
  value: string;
  rows: { locationId: string; before: RowEdits | undefined; after: RowEdits }[];
}

export function fillDown(
  edits: ReviewEdits,
  { field, value, rows }: { field: RepeatedField; value: string; rows: ReviewRowView[] },
): { edits: ReviewEdits; fill: Fill } {
  const filled = rows.map((row) => {
    const before = edits.rows[row.locationId];
    return { locationId: row.locationId, before, after: withBasis(row, before, typedIn(before, field, value)) };
  });
  const after = Object.fromEntries(filled.map((one) => [one.locationId, one.after]));
  return { edits: { ...edits, rows: { ...edits.rows, ...after } }, fill: { field, value, rows: filled } };
}

/** The edits without what was copied. What was typed since stays, in the copied cells and beside them. */
export function undoFill(edits: ReviewEdits, { field, value, rows }: Fill): ReviewEdits {
  const left = { ...edits.rows };
  for (const { locationId, before, after } of rows) {
    const now = left[locationId];
    if (now?.values?.[field] !== value) continue;
    const own = now === after ? before : withoutValue(now, { field, before });
    if (own === undefined) delete left[locationId];
    else left[locationId] = own;
  }
  return { ...edits, rows: left };
}

/** A row's edits with the cell as it was before; nothing else of them changes. */
function withoutValue(
  { values, choices, ...now }: RowEdits,
  { field, before }: { field: RepeatedField; before: RowEdits | undefined },
): RowEdits {
  const cells = restored(values, before?.values, field);
  const sides = field === "reference" ? restored(choices, before?.choices, field) : choices;
  return { ...now, ...(cells && { values: cells }), ...(sides && { choices: sides }) };
}

/** `now` with the key as `before` had it; undefined where nothing is left. */
function restored<T extends object, K extends keyof T>(now: T | undefined, before: T | undefined, key: K) {
  const { [key]: _, ...rest } = now ?? ({} as T);
  const was = before?.[key];
  const whole = (was === undefined ? rest : { ...rest, [key]: was }) as T;
  return Object.keys(whole).length > 0 ? whole : undefined;
}
