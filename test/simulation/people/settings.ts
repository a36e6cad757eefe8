import { readSettings } from "../../../app/pages/read-settings.ts";
import { saveSettings } from "../../../app/shop/save-settings.ts";
import type { Stage } from "./stage.ts";

/** What a shop's owner sets in Settings for every origin without a value of its own. */

/** Saves another contact for the whole shop. It draws from its own stream of random numbers, so that stories without it do not change. */
export async function saveContact(stage: Stage, shop: string): Promise<boolean> {
  const services = stage.visit();
  const view = services && (await readSettings(services, { shop }));
  if (!services || !view) return false;
  const random = stage.random.fork("settings");
  const number = random.between(1, 99);
  const change = random.pick([
    { reference: `Portón ${number}` },
    { email: `tienda${number}@example.com` },
    { name: `Tienda ${number}`, reference: `Portón ${number}` },
  ]);
  const { revision, settings } = view;
  const changed = { ...settings, contact: { ...settings.contact, ...change } };
  const outcome = await saveSettings(services, { shop, revision, settings: changed });
  return outcome.kind === "saved";
}
