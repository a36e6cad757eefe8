import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalAddress, likelySame, placeOf } from "../../app/domain/address/compare.ts";
import { aliasWithMarker, markerIn, markerOf } from "../../app/domain/marker.ts";
import { proposalsFor } from "../../app/domain/plan/proposals.ts";
import type { AddressTemplate, TemplateDraft } from "../../app/domain/records.ts";
import { createTemplateIndex } from "../../app/domain/template-index.ts";
import { addressTemplate, locationRecord } from "../fakes/records.ts";

const location = locationRecord();
const own = markerOf(location.shop, location.locationId);
const OTHER = "00000000";
const whole = addressTemplate();
const draft: TemplateDraft = { alias_name: "Mía", address_type: "from", address_attributes: whole.address };

const templates = fc.array(
  fc
    .record({
      marker: fc.constantFrom(null, own, OTHER, "11111111"),
      type: fc.constantFrom("from", "to"),
      street1: fc.constantFrom(whole.address.street1, "Calle Morelos"),
      street_number: fc.constantFrom(whole.address.street_number, "9"),
      postal_code: fc.constantFrom(whole.address.postal_code, ` ${whole.address.postal_code} `, "64000", "", null),
      name: fc.constantFrom(whole.address.name, "Otra"),
    })
    .map(({ marker, type, ...address }): Omit<AddressTemplate, "id"> => ({
      ...whole,
      alias_name: marker === null ? "Bodega" : aliasWithMarker("{name}", "Bodega", marker),
      address_type: type,
      address: { ...whole.address, company: null, ...address },
    })),
  { maxLength: 12 },
);

/** What a template is to the location, each looked at by itself. */
function likenessOf({ alias_name, address, address_type }: AddressTemplate): "marker" | "equal" | "likely" | null {
  const marker = markerIn(alias_name);
  if (marker === own) return "marker";
  if (address_type !== "from" || marker === OTHER) return null;
  if (canonicalAddress(address) === canonicalAddress(whole.address)) return "equal";
  return likelySame(placeOf(address), placeOf(whole.address)) ? "likely" : null;
}

test("finds what a look at each template finds, the surest first", () => {
  fc.assert(
    fc.property(templates, (drawn) => {
      const all = drawn.map((template, index): AddressTemplate => ({ ...template, id: `template-${index}` }));
      const found = proposalsFor(
        { location, details: null, free: createTemplateIndex(all), otherMarkers: new Set([OTHER]) },
        draft,
      );
      const expected = (["marker", "equal", "likely"] as const).flatMap((how) =>
        all.filter((template) => likenessOf(template) === how).map(({ id }) => ({ id, how })),
      );
      expect(found.map(({ template: { id }, how }) => ({ id, how }))).toEqual(expected);
    }),
  );
});

test("a location is held against the templates of its own postal code alone", () => {
  const index = createTemplateIndex();
  for (let number = 0; number < 5_000; number += 1) {
    const address = { ...whole.address, postal_code: String(10_000 + (number % 1_000)) };
    index.add({ ...whole, id: `template-${number}`, address });
  }
  expect(index.size).toBe(5_000);
  expect(index.of("10007").map(({ template }) => template.id)).toEqual(
    [7, 1_007, 2_007, 3_007, 4_007].map((number) => `template-${number}`),
  );
});
