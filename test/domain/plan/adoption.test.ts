import { describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../../app/domain/address/address.ts";
import type { AddressAttributes, ShopifyAddress } from "../../../app/domain/address/address.ts";
import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { CONTACT_FIELDS, eachField } from "../../../app/domain/address/form-fields.ts";
import { addressText } from "../../../app/domain/address/text.ts";
import type { OwnSide } from "../../../app/domain/plan/adoption.ts";
import type { AdoptionChoices } from "../../../app/domain/plan/adoption-choices.ts";
import { adoptedDetails, adoptedFields, ownSides, ownVersion } from "../../../app/domain/plan/adoption.ts";
import { choicesIn, keptFields, withChoices } from "../../../app/domain/plan/adoption-choices.ts";
import { NO_CONTACT } from "../../fakes/records.ts";
import { CONTACT, mexicanAddress } from "../../fakes/world.ts";

const nobody = eachField(CONTACT_FIELDS, (): OwnSide => ({ value: null, typed: false }));
const own = (value: string | null, typed = false) => ({ ...nobody, email: { value, typed } });
const there = (over: Partial<AddressAttributes>) => ({ ...NO_ADDRESS, ...over });

describe("whose value stays in a template that is linked", () => {
  const book = "ventas@libreta.mx";
  const cases: [string, OwnSide, string | null, AdoptionChoices, object | null][] = [
    [
      "the book's, before the shop's",
      { value: "ana@tienda.mx", typed: false },
      book,
      {},
      { stays: "theirs", isOpen: true },
    ],
    [
      "what was typed for this location",
      { value: "ana@tienda.mx", typed: true },
      book,
      {},
      { stays: "ours", isOpen: true },
    ],
    ["the shop's, by choice", { value: "ana@tienda.mx", typed: false }, book, { email: "ours" }, { stays: "ours" }],
    [
      "the book's, by choice, over what was typed",
      { value: "ana@tienda.mx", typed: true },
      book,
      { email: "theirs" },
      { stays: "theirs" },
    ],
    [
      "the book's, where we have none, whatever was chosen",
      { value: null, typed: false },
      book,
      { email: "ours" },
      { stays: "theirs", isOpen: false },
    ],
    [
      "ours, where the book has none",
      { value: "ana@tienda.mx", typed: false },
      null,
      { email: "theirs" },
      { stays: "ours", isOpen: false, theirs: null },
    ],
    [
      "ours, where the book's is not valid",
      { value: "ana@tienda.mx", typed: false },
      "ventas",
      { email: "theirs" },
      { stays: "ours", isOpen: false, problem: "email_format", theirs: "ventas" },
    ],
    [
      "the book's is left alone where it is not valid and we have none",
      { value: null, typed: false },
      "ventas",
      {},
      { stays: "theirs", isOpen: false, problem: "email_format" },
    ],
    ["nothing to say where both are the same", { value: book, typed: false }, ` ${book} `, {}, null],
  ];
  test.each(cases)("%s", (...[, side, theirs, choices, expected]) => {
    const fields = adoptedFields({ own: own(side.value, side.typed), theirs: there({ email: theirs }), choices });
    if (expected === null) expect(fields).toEqual([]);
    else expect(fields).toMatchObject([{ field: "email", ...expected }]);
  });

  test("what is not valid never becomes the location's own", () => {
    const faulty = { email: "ventas", phone: "12", rfc: "NO", name: "x".repeat(300) };
    expect(keptFields(adoptedFields({ own: nobody, theirs: there(faulty) }))).toEqual([]);
  });

  test("a check digit that is wrong is only warned of, so the RFC is kept", () => {
    expect(keptFields(adoptedFields({ own: nobody, theirs: there({ rfc: "ABC010203AB1" }) }))).toEqual(["rfc"]);
  });

  test("a phone and an RFC written otherwise are the same", () => {
    const ours = {
      ...nobody,
      phone: { value: "3336150000", typed: false },
      rfc: { value: "XAXX010101000", typed: false },
    };
    expect(adoptedFields({ own: ours, theirs: there({ phone: "+52 33 3615 0000", rfc: "xaxx-010101-000" }) })).toEqual(
      [],
    );
  });

  test("choices come back whole, made or left as they stood", () => {
    const theirs = there({ email: book, name: "Pedro" });
    const shown = adoptedFields({ own: { ...own("ana@tienda.mx"), name: { value: "Ana", typed: true } }, theirs });
    expect(choicesIn(withChoices(shown, { email: "ours" }))).toEqual({ name: "ours", email: "ours" });
  });
});

describe("the location's details after linking", () => {
  const address = mexicanAddress({ street: "Avenida Vallarta" });
  const book = {
    name: "Pedro",
    email: "pedro@libreta.mx",
    phone: "3311112222",
    reference: "Portón azul",
    rfc: "XAXX010101000",
  };

  function linked(
    over: Partial<AddressAttributes>,
    given: { address?: ShopifyAddress; choices?: AdoptionChoices } = {},
  ) {
    const details = { contact: NO_CONTACT, split: null, held: null };
    const text = given.address ?? address;
    const composed = composeOrigin({ address: text, postal: null, defaults: CONTACT, details });
    const theirs = there({ ...book, ...over });
    const fields = adoptedFields({ own: ownSides(composed), theirs, choices: given.choices });
    const after = adoptedDetails({ details, composed, readFrom: addressText(text), defaults: CONTACT, theirs, fields });
    return { after, composed: composeOrigin({ address: text, postal: null, defaults: CONTACT, details: after }) };
  }

  test("hold what stays of the book's contact, and the whole is what the book has", () => {
    const { after, composed } = linked({});
    expect(after.contact).toMatchObject({
      name: "Pedro",
      email: "pedro@libreta.mx",
      phone: "3311112222",
      rfc: book.rfc,
    });
    expect(after.split?.values.reference).toBe("Portón azul");
    expect(composed.attributes).toMatchObject(book);
  });

  test("a kept reference lapses with the address, as one that was typed", () => {
    const { after } = linked({});
    const moved = mexicanAddress({ street: "Avenida Juárez" });
    const { fields } = composeOrigin({ address: moved, postal: null, defaults: CONTACT, details: after });
    expect(fields.reference.value).toBe(CONTACT.reference);
    expect(fields.name.value).toBe("Pedro");
  });

  test("hold nothing of what the owner replaces: the shop's goes on to hold", () => {
    const choices = eachField(CONTACT_FIELDS, () => "ours" as const);
    const { after, composed } = linked({ company: null, rfc: null }, { choices });
    expect(after).toEqual({ contact: NO_CONTACT, split: null, held: null });
    expect(composed.attributes).toMatchObject({
      name: CONTACT.name,
      email: CONTACT.email,
      reference: CONTACT.reference,
    });
  });

  test("take from the template what the location's text does not tell of the place", () => {
    const { after } = linked({ area_level3: "Americana" }, { address: { ...address, address2: null } });
    expect(after.split?.values).toMatchObject({ area_level3: "Americana", street1: "Avenida Vallarta" });
  });
});

test("a choice holds for the values that were shown: others have another version", () => {
  const compose = (defaults: typeof CONTACT) =>
    composeOrigin({ address: mexicanAddress({ street: "Juárez" }), postal: null, defaults, details: null });
  expect(ownVersion(compose(CONTACT))).toBe(ownVersion(compose({ ...CONTACT })));
  expect(ownVersion(compose(CONTACT))).not.toBe(ownVersion(compose({ ...CONTACT, email: "otra@tienda.mx" })));
});
