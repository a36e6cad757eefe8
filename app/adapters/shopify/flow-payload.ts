import { legacyIdOf } from "../../domain/location-id.ts";
import type { FlowEventRecord } from "../../domain/records.ts";

/** What Flow takes of an event: a value for each field that the trigger's extension declares. */
export function flowPayload(event: FlowEventRecord, apiKey: string): Record<string, string> {
  const { id, shop, fields, locationId, atMs } = event;
  const store = shop.replace(/\.myshopify\.com$/, "");
  const path = locationId === null ? "settings" : `origins/${legacyIdOf(locationId)}`;
  return {
    ...fields,
    "Location ID": locationId === null ? "" : legacyIdOf(locationId),
    Page: `https://admin.shopify.com/store/${store}/apps/${apiKey}/app/${path}`,
    "Event ID": id,
    "Event time": new Date(atMs).toISOString(),
  };
}
