import type { SettingsReply } from "../../../app/components/settings/settings-actions.ts";
import type { SettingsView } from "../../../app/views/settings.ts";
import type { BehaviourChange } from "../../sandbox/shipping/options.ts";
import { DEMO_POSTAL_CODES } from "../../sandbox/data/postal-codes.ts";
import { prepareJob } from "../../sandbox/play/job.ts";
import type { Job } from "../../sandbox/play/job.ts";
import { STEPS } from "../../sandbox/play/steps.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";

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

const CONTACT = {
  name: "Marisol Cervantes",
  company: "Taller Copal",
  email: "envios@taller-copal.example",
  phone: "55 5264 0100",
  reference: "Portón de madera",
  rfc: null,
};

/** What the whole shop shares, so that a location lacks little; and whether each change is verified. */
async function saySettings({ visitor }: Job, verifyAfterChange: boolean): Promise<void> {
  const route = "routes/app.settings";
  const { revision, settings } = await visitor.load<SettingsView>("/app/settings", route);
  const body = {
    intent: "save",
    revision,
    settings: { ...settings, policies: { ...settings.policies, verifyAfterChange }, contact: CONTACT },
  };
  const { outcome } = await visitor.submit<SettingsReply>("/app/settings", route, body);
  if (outcome.kind !== "saved") throw new Error(`The settings were not saved: ${JSON.stringify(outcome)}`);
}

/**
 * @param connected false: the store as it is right after the app's installation.
 * @param verifies false: no carrier is asked unless somebody presses, and so none is asked again later.
 */
export async function startOrderStage({ connected = true, shops = 3, verifies = true } = {}): Promise<OrderStage> {
  const behaviour: BehaviourChange = {
    verification: { stepMs: [200, 400], verdicts: { fedex: "verified", dhl: "verified", estafeta: "not_verified" } },
  };
  const sandbox = await startSandbox({ locale: "en", shops, shipping: behaviour, postalCodes: DEMO_POSTAL_CODES });
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
  const job = prepareJob(sandbox);
  const [open, connect, seeLocations] = STEPS;
  await open!.run(job);
  if (connected) await connect!.run(job);
  await seeLocations!.run(job);
  if (connected) await saySettings(job, verifies);
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
