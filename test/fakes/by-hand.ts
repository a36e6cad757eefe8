import type { TemplateDraft } from "../../app/domain/records.ts";
import type { World } from "./world.ts";

/** What tests of changes by hand share. */

/** A template as its owner types it. */
export const SUPPLIER: TemplateDraft = {
  alias_name: "Proveedor de Jalisco",
  address_type: "from",
  address_attributes: {
    name: "Eva",
    street1: "Calle Hidalgo",
    street_number: "7",
    postal_code: "20000",
    area_level1: "Aguascalientes",
    area_level2: "Aguascalientes",
    area_level3: "Centro",
    country_code: "MX",
    phone: "4491234567",
    email: "eva@proveedor.example",
    reference: "Puerta azul",
  },
};

/** Starts a worker, lets it do what is due for so long, and stops it. */
export async function workFor(world: World, ms: number): Promise<void> {
  const worker = world.start();
  await world.runFor(ms);
  await world.clock.runWhile(worker.stop());
}
