import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldIn, fieldNamed, placeWords } from "../../../app/domain/verification/field-words.ts";

/** Which field a refusal speaks of. */

describe("the field that a sentence speaks of", () => {
  test.each([
    ["El código postal no existe", "postal_code"],
    ["CP inválido", "postal_code"],
    ["C.P. fuera de cobertura", "postal_code"],
    ["INVALID_ZIP_FOR_CARRIER", "postal_code"],
    ["The zip code is not served", "postal_code"],
    ["postalCode: expected maxLength: 12, actual: 14", "postal_code"],
    ["El teléfono debe tener 10 dígitos", "phone"],
    ["Phone number must have 10 digits", "phone"],
    ["street1 is too long (maximum is 35 characters)", "street1"],
    ["addressLine1: expected maxLength: 45, actual: 60", "street1"],
    ["La calle es demasiado larga", "street1"],
    ["Falta el número exterior", "street_number"],
    ["The street number is missing", "street_number"],
    ["Número interior inválido", "apartment_number"],
    ["La colonia no es válida", "area_level3"],
    ["Neighborhood not found", "area_level3"],
    ["El municipio no corresponde", "area_level2"],
    ["City name is invalid", "area_level2"],
    ["El nombre de la calle es obligatorio", "street1"],
    ["Street name is required", "street1"],
    ["La entidad federativa es incorrecta", "area_level1"],
    ["El nombre de contacto debe tener nombre y apellido", "name"],
    ["Company name is too long", "company"],
    ["La razón social es obligatoria", "company"],
    ["El correo electrónico no es válido", "email"],
    ["Email has already been taken", "email"],
    ["RFC con formato inválido", "rfc"],
    ["La referencia es muy corta", "reference"],
    ["country is not supported", "country_code"],
  ])("%s", (sentence, field) => expect(fieldIn(sentence)).toBe(field));

  test.each([
    ["several", "La colonia no corresponde al código postal"],
    ["none", "La dirección no pudo verificarse"],
    ["a request's state", "El estado de la solicitud es rechazado"],
    ["a template's alias", "Alias name has already been taken"],
    ["a carrier", "Carrier name is not available"],
    ["a word that only holds a name", "Callejón sin salida, ziplock, telar"],
    ["nothing", ""],
  ])("cannot be told of %s", (_what, sentence) => expect(fieldIn(sentence)).toBeNull());

  test.each([
    ["zip", "postal_code"],
    ["state", "area_level1"],
    ["phoneNumber", "phone"],
    ["exterior_number", "street_number"],
    ["street1", "street1"],
    ["quota", null],
    ["alias_name", null],
    ["__proto__", null],
  ])("a member called %s is %s", (name, field) => expect(fieldNamed(name)).toBe(field));
});

describe("what an answer says", () => {
  test("stands beside its field, and what can be told of none stays whole", () => {
    const fields = { zip: ["is invalid"], quota: ["se agotó"] };
    const message = "El teléfono debe tener 10 dígitos · Tu plan no lo permite · zip: is invalid · quota: se agotó";
    expect(placeWords({ fields, message })).toEqual({
      fields: { postal_code: ["is invalid"], quota: ["se agotó"], phone: ["El teléfono debe tener 10 dígitos"] },
      message: "Tu plan no lo permite · quota: se agotó",
    });
  });

  test("is told of a member that is no field, and that the message leaves out", () => {
    expect(placeWords({ fields: { quota: ["se agotó"] }, message: "CP inválido" })).toEqual({
      fields: { quota: ["se agotó"], postal_code: ["CP inválido"] },
      message: "quota: se agotó",
    });
  });

  test("is nothing where nothing was said", () => {
    expect(placeWords({ fields: {}, message: null })).toEqual({ fields: {}, message: null });
  });

  test("is never lost, whatever it is", () => {
    const words = fc.constantFrom("zip", "phone", "calle", "colonia", "inválido", "no existe", "quota", "rfc");
    const sentence = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(" "));
    const named = fc.dictionary(words, fc.array(sentence, { minLength: 1, maxLength: 2 }), { maxKeys: 3 });
    fc.assert(
      fc.property(named, fc.array(sentence, { maxLength: 3 }), (fields, sentences) => {
        const all = [...sentences, ...Object.entries(fields).map(([name, said]) => `${name}: ${said.join(", ")}`)];
        const placed = placeWords({ fields, message: all.join(" · ") });
        const told = JSON.stringify(placed);
        for (const part of [...sentences, ...Object.values(fields).flat()])
          for (const piece of part.split(" · ").filter(Boolean)) expect(told).toContain(piece);
      }),
    );
  });
});
