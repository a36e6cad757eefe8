import { stringify } from "csv-stringify/sync";
import type { DetailsRecord } from "../../app/domain/records.ts";
import type { ShopifyLocation } from "../../app/ports.ts";
import { exportOrigins } from "../../app/spreadsheet/export-origins.ts";
import { importDetails } from "../../app/spreadsheet/import-details.ts";
import type { ImportAnswer, ImportPreview, ImportRead } from "../../app/views/import.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import { detailsRecord, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { rowsOf, textOf } from "./sheets.ts";

/** A shop whose details are changed by a file, for the tests of imports. */

export interface Shop {
  world: World;
  put(
    number: number,
    over?: Partial<ShopifyLocation>,
    details?: Partial<DetailsRecord> | null,
  ): Promise<ShopifyLocation>;
  /** The file of all origins. */
  out(language?: "en" | "es-MX"): Promise<string>;
  /** The same, with what a person changed in it. */
  edited(edit: (row: Record<string, string>) => void): Promise<string>;
  /** What a file would change. */
  preview(file: string | Uint8Array): Promise<ImportRead>;
  read(file: string | Uint8Array): Promise<ImportPreview>;
  confirm(file: string | Uint8Array, shown: string): Promise<ImportAnswer>;
}

export async function importShop(): Promise<Shop> {
  const world = await createWorld();
  const ask = async (file: string | Uint8Array, shown: string | null) => {
    const bytes = typeof file === "string" ? Buffer.from(file) : file;
    return (await importDetails(world.services, { shop: SHOP, file: bytes, shown, spend: () => undefined }))!;
  };
  const shop: Shop = {
    world,
    async put(number, over = {}, details = {}) {
      const there = shopifyLocation(number, over);
      const { locationId } = there;
      world.shopify.put(SHOP, there);
      await world.store.locations.insert(locationRecord({ ...there, shop: SHOP }));
      if (details) {
        const confirmedAtMs = world.clock.nowMs();
        await world.store.details.insert(detailsRecord({ locationId, confirmedAtMs, ...details }));
      }
      return there;
    },
    out: async (language = "en") =>
      textOf(await exportOrigins(world.services, { shop: SHOP, query: ALL_ORIGINS, language })),
    async edited(edit) {
      const rows = rowsOf(await shop.out());
      rows.forEach(edit);
      return csvOf(rows);
    },
    async preview(file) {
      const answer = await ask(file, null);
      if (answer.kind !== "preview") throw new Error(`It answered ${answer.kind}`);
      return answer.read;
    },
    async read(file) {
      const read = await shop.preview(file);
      if (read.kind !== "read") throw new Error(`It is refused: ${JSON.stringify(read.fault)}`);
      return read;
    },
    confirm: ask,
  };
  return shop;
}

export function csvOf(rows: Record<string, string>[], delimiter = ","): string {
  return stringify(rows, { header: true, delimiter, record_delimiter: "\r\n" });
}
