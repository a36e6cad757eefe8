import { expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import { wordsOf } from "../../app/i18n/words.ts";
import { exportOrigins } from "../../app/spreadsheet/export-origins.ts";
import { carrierHeading, headingOf, ORIGIN_COLUMNS } from "../../app/spreadsheet/origin-columns.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import { workFor } from "../fakes/by-hand.ts";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import { rowsOf, textOf } from "./sheets.ts";

const LANGUAGES = ["en", "es-MX"] as const;

/** Three confirmed origins with their templates, one of them named like a formula. */
async function three() {
  const world = await createWorld({ policies: { carriers: ["fedex"] } });
  const named = { 2: { name: '=Bodega, "Sur"' } } as Record<number, object>;
  for (const number of [1, 2, 3]) {
    await world.addLocation(number, named[number]);
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number, named[number]), shop: SHOP }));
    await world.requestWork("location", locationGid(number));
  }
  await workFor(world, 60_000);
  return world;
}

test("every heading of either language means one column", () => {
  const headings = LANGUAGES.flatMap((language) => {
    const t = wordsOf(language);
    const all = [...ORIGIN_COLUMNS.map((column) => headingOf(t, column)), carrierHeading(t, "FedEx")];
    expect(new Set(all).size).toBe(all.length);
    return [...ORIGIN_COLUMNS.map((column) => ({ column: column as string, heading: headingOf(t, column) }))];
  });
  const meanings = Map.groupBy(headings, ({ heading }) => heading.toLowerCase());
  for (const [heading, of] of meanings)
    expect([heading, new Set(of.map(({ column }) => column)).size]).toEqual([heading, 1]);
});

test("the file has each origin with every field, where it comes from, its readiness, the carriers' answers and the last sync", async () => {
  const world = await three();
  const sheet = await exportOrigins(world.services, { shop: SHOP, query: ALL_ORIGINS, language: "es-MX" });
  expect(sheet!.name).toMatch(/^origenes-\d{4}-\d\d-\d\d\.csv$/);
  const text = await textOf(sheet);
  expect(text.startsWith("\uFEFFId de la sucursal,Sucursal,")).toBe(true);
  expect(text).toContain("\r\n");
  const rows = rowsOf(text);
  expect(rows).toHaveLength(3);
  const [row] = rows.filter((one) => one["Sucursal"] === "Bodega 1");
  expect(row).toMatchObject({
    "Id de la sucursal": locationGid(1),
    "Número exterior": "101",
    "Número exterior: de dónde viene": "Shopify",
    "Nombre de contacto": "Ana Pérez",
    "Nombre de contacto: de dónde viene": "Contacto en Configuración",
  });
  const t = wordsOf("es-MX");
  for (const field of ADDRESS_FIELDS) expect(row).toHaveProperty([t(`common:fields.${field}`)]);
  expect(Object.keys(row!)).toContain("FedEx: respuesta");
  expect(row!["Última sincronización (hora de la tienda)"]).toMatch(/^'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(rows.map((one) => one["Sucursal"])).toContain('\'=Bodega, "Sur"');
});

test("the list's own query decides which, and in which order", async () => {
  const world = await three();
  const query = { ...ALL_ORIGINS, search: "bodega", descending: true };
  const rows = rowsOf(await textOf(await exportOrigins(world.services, { shop: SHOP, query, language: "en" })));
  expect(rows.map((row) => row["Location"])).toEqual(["Bodega 3", "Bodega 1", '\'=Bodega, "Sur"']);
  const one = { ...ALL_ORIGINS, locations: ["3"] };
  const some = rowsOf(await textOf(await exportOrigins(world.services, { shop: SHOP, query: one, language: "en" })));
  expect(some.map((row) => row["Location id"])).toEqual([locationGid(3)]);
});

test("a value of several lines stays one cell, whatever ends its lines", async () => {
  const world = await createWorld();
  for (const [index, name] of ["a\nb", "a\rb", "a\r\nb"].entries())
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(index + 1, { name }), shop: SHOP }));
  const text = await textOf(await exportOrigins(world.services, { shop: SHOP, query: ALL_ORIGINS, language: "en" }));
  expect(text).toContain('"a\nb"');
  expect(text).toContain('"a\rb"');
  expect(rowsOf(text)).toHaveLength(3);
});

test("a shop that nobody knows has no file", async () => {
  const world = await createWorld();
  const asked = { shop: "nobody.myshopify.com", query: ALL_ORIGINS, language: "en" } as const;
  expect(await exportOrigins(world.services, asked)).toBeNull();
});
