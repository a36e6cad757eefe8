import { locationIdOf } from "../../domain/location-id.ts";
import { readJob } from "../../jobs/read-job.ts";
import { bytesOfJob, startJob } from "../../jobs/start-job.ts";
import type { JobStart } from "../../jobs/start-job.ts";
import { isLocation } from "../../origins/is-location.ts";
import { isOverTestAccount } from "../../pages/over-test-account.ts";
import { readOrderOrigins } from "../../pages/read-order-origins.ts";
import type { Services } from "../../ports.ts";
import type { OrderListView } from "../../views/order-origins.ts";
import type { ManyIntent } from "./schema.ts";

export type ManyOutcome = { kind: "read"; view: OrderListView } | JobStart | { kind: "not_found" | "test_account" };

/**
 * Reads the origins of many orders, or starts one job for all of them: carriers are asked once for an origin, through the budget. Not found
 * where the shop has none of the locations.
 */
export async function perform(
  services: Services,
  { shop, asked, spend }: { shop: string; asked: ManyIntent; spend: (bytes: number) => void },
): Promise<ManyOutcome> {
  const locationIds = [...new Set(asked.locations.flatMap((number) => locationIdOf(number) ?? []))];
  if (asked.intent === "read") {
    const view = await readOrderOrigins(services, { shop, locationIds });
    return { kind: "read", view: { ...view, busy: (await readJob(services, { shop }))?.state === "running" } };
  }
  if (await isOverTestAccount(services, shop)) return { kind: "test_account" };
  if (!(await isLocation(services, { shop, locationIds }))) return { kind: "not_found" };
  spend(bytesOfJob(locationIds.length));
  return startJob(services, {
    shop,
    kind: asked.intent,
    carriers: null,
    locationIds,
    lookThere: asked.intent === "sync",
  });
}
