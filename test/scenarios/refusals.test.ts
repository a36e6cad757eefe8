import { describe, expect, test } from "vitest";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { workFor } from "../fakes/by-hand.ts";
import { locationGid, locationRecord, SHOP, verificationRecord } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** What a refusal says stands beside the field that it speaks of, and else above the form, whole. */

const here = locationGid(1);

async function origin(): Promise<World> {
  const world = await createWorld({ policies: { carriers: ["estafeta"] } });
  await world.addLocation(1);
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  return world;
}

const shown = async ({ services }: World) => (await readOrigin(services, { shop: SHOP, locationId: here }))!;

async function refusedWith(body: object): Promise<Awaited<ReturnType<typeof shown>>> {
  const world = await origin();
  const answer = { kind: "said", status: 422, body: JSON.stringify(body), afterMs: 20 } as const;
  world.outcomeOf = (operation) => (operation === "create" ? { ...PROMPT, effectAfterMs: null, answer } : PROMPT);
  await world.requestWork("location", here);
  await workFor(world, 30_000);
  return shown(world);
}

describe("what the service refuses", () => {
  test("is told beside the field that its sentence speaks of", async () => {
    const { fields, refusal } = await refusedWith({
      message: "El código postal no existe",
      errors: { telefono: ["debe tener 10 dígitos"], quota: ["se agotó"] },
    });
    const told = fields.filter(({ serviceMessages }) => serviceMessages.length > 0);
    expect(told.map(({ field, serviceMessages }) => [field, serviceMessages])).toEqual([
      ["postal_code", ["El código postal no existe"]],
      ["phone", ["debe tener 10 dígitos"]],
    ]);
    expect(refusal!.message).toBe("quota: se agotó");
  });

  test("is told whole where it speaks of several fields, or of none", async () => {
    const message = "La colonia no corresponde al código postal";
    const { fields, refusal } = await refusedWith({ message });
    expect(fields.every(({ serviceMessages }) => serviceMessages.length === 0)).toBe(true);
    expect(refusal!.message).toBe(message);
  });
});

describe("what a carrier refuses", () => {
  test.each([
    ["refused", false, "INVALID_ZIP_FOR_CARRIER", ["postal_code"]],
    ["unknown", false, "El teléfono no es válido · La colonia no existe", ["area_level3", "phone"]],
    ["unknown", false, "La dirección no pudo verificarse", []],
    ["refused", false, "rejected", []],
    ["accepted", false, "CP válido", []],
    ["refused", true, "INVALID_ZIP_FOR_CARRIER", []],
  ] as const)("%s (of an earlier address: %s): %s", async (outcome, stale, status, expected) => {
    const world = await origin();
    await world.requestWork("location", here);
    await workFor(world, 30_000);
    const { connectionId, templateId } = (await world.store.links.find({ shop: SHOP, locationId: here }))!;
    const addressKey = stale ? "another" : null;
    await world.store.verifications.delete({ shop: SHOP });
    await world.store.verifications.insert(
      verificationRecord({ connectionId, templateId, carrier: "estafeta", outcome, status, addressKey }),
    );
    const told = (await shown(world)).fields.filter(({ carrierWords }) => carrierWords.length > 0);
    expect(told.map(({ field }) => field)).toEqual(expected);
    for (const { carrierWords } of told)
      expect(carrierWords[0]).toMatchObject({ carrier: "estafeta", refused: outcome === "refused" });
  });
});
