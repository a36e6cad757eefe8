import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONTACT_FIELDS, SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import { addressText } from "../../app/domain/address/text.ts";
import { locationGid, locationRecord, NO_CONTACT, SHOP } from "../fakes/records.ts";
import { shopifyLocation } from "../fakes/world.ts";
import { IS_WHOLE } from "../whole.ts";
import { csvOf, importShop } from "./import-shop.ts";

describe("out and in again", () => {
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
    fc.constantFrom(
      "+525512345678",
      "=1+1",
      "06700",
      "'",
      "''x",
      "12-3",
      "5 mayo",
      "a\nb",
      '"q"',
      ";",
      "\t",
      "5.5E+11",
      " x ",
    ),
    fc.constantFrom("MÃ©xico", "\uFFFD", "#REF!", "#", "1e5", "mar-12"),
  );
  const maybe = fc.option(text);
  const address = fc.record({
    address1: maybe,
    address2: maybe,
    city: maybe,
    zip: fc.option(fc.constantFrom("06700", "44160", "1", "'06700", "=A1")),
    province: maybe,
    provinceCode: fc.constantFrom("JAL", "CMX", null),
    countryCode: fc.constantFrom("MX", "US", null),
    phone: maybe,
  });
  const contact = fc.record(Object.fromEntries(CONTACT_FIELDS.map((field) => [field, maybe]))) as fc.Arbitrary<
    typeof NO_CONTACT
  >;
  const splitValues = fc.record(Object.fromEntries(SPLIT_FIELDS.map((field) => [field, maybe])));
  const place = fc.record({ name: text, address, contact, split: fc.option(splitValues), isConfirmed: fc.boolean() });

  test.each(["en", "es-MX"] as const)("changes nothing, whatever the shop holds (%s)", async (language) => {
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 5 }), contact, async (places, shopContact) => {
        const shop = await importShop();
        await shop.world.store.shops.update({ shop: SHOP }, { contact: shopContact });
        for (const [index, { split, isConfirmed, name, address, ...one }] of places.entries()) {
          const values = split as Record<(typeof SPLIT_FIELDS)[number], string | null> | null;
          await shop.put(
            index + 1,
            { name, address },
            {
              contact: one.contact,
              split: values && { values, readFrom: addressText(address) },
              ...(isConfirmed ? {} : { confirmedAtMs: null }),
            },
          );
        }
        const read = await shop.read(await shop.out(language));
        expect(read).toMatchObject({ changed: [], refused: [], harmless: [], unknown: [], missing: [] });
        expect([read.rows, read.unchanged]).toEqual([places.length, places.length]);
      }),
      { numRuns: IS_WHOLE ? 500 : 60 },
    );
  });
});

describe("what a file would change", () => {
  test("is told field by field, by id or by name, in either language, and nothing is written", async () => {
    const shop = await importShop();
    await shop.put(1);
    await shop.put(2, { name: "Tienda Único" });
    const before = await shop.world.store.details.list({ shop: SHOP });
    const read = await shop.read(
      csvOf([
        { SUCURSAL: "", "id de la sucursal": "1", Telefono: "'+52 55 1234 5678", "Nombre de contacto": "" },
        { SUCURSAL: "tienda unico", "id de la sucursal": "", Telefono: "", "Nombre de contacto": "Eva" },
      ]),
    );
    expect(read.refused).toEqual([]);
    expect(read.changed.map(({ row, name, changes }) => [row, name, changes])).toEqual([
      [2, "Bodega 1", [{ field: "phone", from: "3336150000", to: "+52 55 1234 5678" }]],
      [3, "Tienda Único", [{ field: "name", from: "Ana Pérez", to: "Eva" }]],
    ]);
    expect(read.missing).toContain("street1");
    expect(await shop.world.store.details.list({ shop: SHOP })).toEqual(before);
    expect(await shop.world.store.jobs.list({ shop: SHOP })).toEqual([]);
  });

  test("a guess is confirmed with another change of its row, and told; where its cell is empty the row is refused", async () => {
    const shop = await importShop();
    const address = { ...shopifyLocation(1).address, address2: "Grupo Ánfora, Americana" };
    await shop.put(1, { address }, null);
    const guessed = (await shop.read(await shop.edited((row) => (row.Phone = "5512345678")))).changed[0]!;
    expect(guessed.isNew).toBe(true);
    const guess = { field: "area_level3", from: "Americana", to: "Americana", isGuess: true };
    expect(guessed.changes).toContainEqual(guess);
    const emptied = await shop.edited((row) => Object.assign(row, { Phone: "5512345678", Neighborhood: "" }));
    const { refused } = await shop.read(emptied);
    expect(refused[0]!.faults).toContainEqual(
      expect.objectContaining({ code: "problem", column: "area_level3", problem: "unconfirmed" }),
    );
  });

  test("what only Shopify changes is refused by name, and so is what a spreadsheet spoilt", async () => {
    const shop = await importShop();
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await shop.put(number);
    await shop.world.store.details.update(
      { shop: SHOP, locationId: locationGid(4) },
      { contact: { ...NO_CONTACT, company: "007" } },
    );
    const edits: Record<string, Record<string, string>> = {
      1: { "Postal code": "44190" },
      2: { Location: "Otro nombre" },
      3: { Phone: "5.51234E+11" },
      4: { Company: "7" },
      5: { "Exterior number": "03-dic" },
      6: { "Delivery reference": "PortÃ³n" },
      7: { Email: "no es correo" },
      8: { Email: "a".repeat(300) + "@x.mx" },
    };
    const file = await shop.edited((row) => Object.assign(row, edits[row["Location id"]!.split("/").at(-1)!]));
    const { refused, changed } = await shop.read(file);
    expect(changed).toEqual([]);
    expect(refused.map(({ row, faults }) => [row, faults])).toEqual([
      [2, [{ code: "shopifys", column: "postal_code", said: "44190", now: "44160" }]],
      [3, [{ code: "shopifys", column: "location_name", said: "Otro nombre", now: "Bodega 2" }]],
      [4, [{ code: "spoilt", column: "phone", said: "5.51234E+11", by: "number" }]],
      [5, [{ code: "lost_zeros", column: "company", said: "7", now: "007" }]],
      [6, [{ code: "spoilt", column: "street_number", said: "03-dic", by: "date" }]],
      [7, [{ code: "spoilt", column: "reference", said: "PortÃ³n", by: "letters" }]],
      [8, [{ code: "problem", column: "email", problem: "email_format", said: "no es correo" }]],
      [9, [expect.objectContaining({ code: "problem", column: "email", problem: "too_long" })]],
    ]);
  });

  test("a postal code without its zero is named and stops nothing, because it is Shopify's", async () => {
    const shop = await importShop();
    await shop.put(1, {
      address: { ...shopifyLocation(1).address, zip: "06700", province: "Ciudad de México", provinceCode: "CMX" },
    });
    const read = await shop.read(
      await shop.edited((row) => Object.assign(row, { "Postal code": "6700", Company: "Copal" })),
    );
    expect(read.harmless).toEqual([{ column: "postal_code", count: 1, row: 2, said: "6700" }]);
    expect(read.changed[0]!.changes).toContainEqual({ field: "company", from: null, to: "Copal" });
  });

  test("a location that is not the shop's, an ambiguous name, a doubled one and one without either are refused", async () => {
    const shop = await importShop();
    await shop.put(1);
    await shop.put(2, { name: "Norte" });
    await shop.put(3, { name: "norte" });
    const other = { ...shopifyLocation(9), shop: "other.myshopify.com" };
    await shop.world.store.locations.insert(locationRecord(other));
    const rows = [
      [locationGid(9), ""],
      ["", "NORTE"],
      ["", "Norte"],
      ["", "Bodega 9"],
      ["1", ""],
      [locationGid(1), ""],
      ["", ""],
      ["5.5E+11", ""],
      ["", ""],
    ].map(([id, name], index) => ({ "Location id": id!, Location: name!, Phone: index === 8 ? "" : "5512345678" }));
    const { refused, changed, rows: count } = await shop.read(csvOf(rows));
    expect(changed.map(({ row, name }) => [row, name])).toEqual([[4, "Norte"]]);
    expect(refused.map(({ row, faults }) => [row, faults[0]])).toEqual([
      [2, { code: "unknown_id" }],
      [3, { code: "ambiguous_name" }],
      [5, { code: "unknown_name" }],
      [6, { code: "doubled", rows: [7] }],
      [7, { code: "doubled", rows: [6] }],
      [8, { code: "no_key" }],
      [9, { code: "spoilt", column: "location_id", said: "5.5E+11", by: "number" }],
    ]);
    expect(count).toBe(8);
  });
});
