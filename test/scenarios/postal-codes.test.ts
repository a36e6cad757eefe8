import { describe, expect, test } from "vitest";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import { readPostalCode } from "../../app/pages/read-postal-code.ts";
import { readReview } from "../../app/pages/read-review.ts";
import { postalFacts, ROMA_NORTE } from "../fakes/postal-codes.ts";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** What pages learn from the list of postal codes in use. */

const MONTERREY = postalFacts({ code: "64000", state: "Nuevo León", municipality: "Monterrey", city: "Monterrey" });

async function withList(addresses: ReturnType<typeof mexicanAddress>[]): Promise<World> {
  const world = await createWorld({ environment: "production" });
  for (const [index, address] of addresses.entries())
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(index + 1, { address }), shop: SHOP }));
  await world.store.postalCodes.replace({ source: "by_hand", importedAtMs: 1, codes: [ROMA_NORTE, MONTERREY] });
  return world;
}

const rowsOf = async ({ services }: World) => (await readReview(services, { shop: SHOP }))!.rows;

describe("Review", () => {
  test("brings the settlements of each row's code with the page", async () => {
    const rows = await rowsOf(await withList([mexicanAddress({ zip: "06700" }), mexicanAddress({ zip: "99999" })]));
    expect(rows.map(({ postal }) => postal)).toEqual([ROMA_NORTE, null]);
  });

  test("keeps what contradicts the code, beside what the list says", async () => {
    const address = mexicanAddress({ zip: "64000" });
    const [row] = await rowsOf(await withList([address]));
    expect(row).toMatchObject({ state: "Jalisco", postal: MONTERREY });
    expect(row!.cells.area_level2.value).toBe("Guadalajara");
  });

  test("offers the settlements that the address nearly names", async () => {
    const [row] = await rowsOf(await withList([{ ...mexicanAddress({ zip: "06700" }), address2: "Col. Roma Nort" }]));
    expect(row!.cells.area_level3).toMatchObject({ value: "Roma Nort", offers: ["Roma Norte"] });
  });
});

describe("the order page", () => {
  test("is told what the code has for the fields that it asks for", async () => {
    const { services } = await withList([{ ...mexicanAddress({ zip: "06700" }), address2: null }]);
    const { origins } = await readOrderOrigins(services, { shop: SHOP, locationIds: [locationGid(1)] });
    const asked = origins[0]!.form!.fields.map(({ field, choices }) => [field, choices]);
    expect(asked).toContainEqual(["area_level3", ["Roma Norte"]]);
  });
});

describe("the look-up of one code", () => {
  test("answers five digits, and nothing else", async () => {
    const { services } = await withList([]);
    expect(await readPostalCode(services, { code: "06700" })).toEqual(ROMA_NORTE);
    for (const code of ["", "0670", "067000", "06700 ", "0670a", "%", "../06700", "٠٦٧٠٠"])
      expect(await readPostalCode(services, { code })).toBeNull();
  });
});
