import { expect, test } from "vitest";
import { typedOrigin } from "../../app/components/label/typed-origin.ts";
import type { FormField } from "../../app/domain/address/form-fields.ts";
import { FORM_FIELDS } from "../../app/domain/address/form-fields.ts";
import type { FieldFate } from "../../app/domain/plan/field-fates.ts";
import type { OriginView } from "../../app/views/origin.ts";

/** An origin whose account has other values for a colonia, which the form has, and a postal code, which it has not. */
function origin(fate: FieldFate) {
  const of = (field: string, value: string, there: string) => ({ field, value, there, fate });
  const values = Object.fromEntries(FORM_FIELDS.map((field) => [field, ""])) as Record<FormField, string>;
  const saved = { ...values, area_level3: "Centro" };
  const view = {
    fields: [of("area_level3", "Centro", "Analco"), of("postal_code", "72000", "72500")],
    form: { contact: {}, split: saved, defaults: { reference: "Portón", name: "Ana" } },
  } as unknown as OriginView;
  return { view, saved };
}

test.each([
  ["written", "Centro", "72000"],
  ["same", "Centro", "72000"],
  ["kept", "Analco", "72500"],
  ["undecided", "Analco", "72500"],
] as const)("a label has ours or the account's, as what becomes of the field says: %s", (fate, colonia, code) => {
  const { view, saved } = origin(fate);
  const shown = typedOrigin(view, saved);
  expect(shown).toMatchObject({ area_level3: colonia, postal_code: code, reference: "Portón", name: "Ana" });
});

test("what is typed now is shown, whatever stays", () => {
  const { view, saved } = origin("undecided");
  expect(typedOrigin(view, { ...saved, area_level3: "Moderna" }).area_level3).toBe("Moderna");
});
