import type { BehaviourChange } from "../sandbox/shipping/options.ts";
import { prepareJob } from "../sandbox/play/job.ts";
import type { Job } from "../sandbox/play/job.ts";
import { STEPS } from "../sandbox/play/steps.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";

/** A store whose owner connected, said the shop's contact and let the app read orders: what an order page needs to be of use. */

export const STORE = "taller-copal";

/** The default store's orders, by what they are good for. */
export const ORDERS = {
  pastSixtyDays: 5_500_000_000_001,
  snapshotted: 5_500_000_000_002,
  incomplete: 5_500_000_000_003,
  twoOrigins: 5_500_000_000_004,
  complete: 5_500_000_000_005,
  fulfilledByAService: 5_500_000_000_006,
};

export const ORDER_SCOPES = [
  "read_orders",
  "read_merchant_managed_fulfillment_orders",
  "read_assigned_fulfillment_orders",
];

export interface OrderStage {
  sandbox: Sandbox;
  job: Job;
  control: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
  /** Builds the extensions if need be. @throws with the CLI's words. */
  extensions: () => Promise<void>;
  locationId: (name: string) => string;
}

/** @param connected false: the store as it is right after the app's installation. */
export async function startOrderStage({ connected = true, shops = 3 } = {}): Promise<OrderStage> {
  const behaviour: BehaviourChange = {
    verification: { stepMs: [200, 400], verdicts: { fedex: "verified", dhl: "verified", estafeta: "not_verified" } },
  };
  const sandbox = await startSandbox({ locale: "en", shops, shipping: behaviour });
  const control: OrderStage["control"] = async (method, path, body) => {
    const text = typeof body === "string";
    const response = await fetch(`${sandbox.adminUrl}/sandbox/${path}`, {
      method,
      headers: { "Content-Type": text ? "text/plain" : "application/json" },
      ...(body !== undefined && { body: text ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const job = prepareJob(sandbox, 30_000);
  const [open, connect, seeLocations, shareContact] = STEPS;
  await open!.run(job);
  if (connected) await connect!.run(job);
  await seeLocations!.run(job);
  if (connected) await shareContact!.run(job);
  if (connected) await control("POST", `shops/${STORE}/scopes`, { scopes: ORDER_SCOPES });
  return {
    sandbox,
    job,
    control,
    async extensions() {
      const response = await fetch(`${sandbox.adminUrl}/extension-host/${STORE}/manifest.json`);
      if (!response.ok) throw new Error(await response.text());
    },
    locationId(name) {
      const found = [...job.shop.locations.values()].find((one) => one.name === name);
      if (!found) throw new Error(`The store has no location "${name}"`);
      return String(found.id);
    },
  };
}
