import { readSettings } from "../../../app/pages/read-settings.ts";
import { saveSettings } from "../../../app/shop/save-settings.ts";
import type { Stage } from "./stage.ts";

/** What a shop's owner says in Settings, for every origin that says nothing else itself. */

/** Another contact for the whole shop. It draws from a stream of its own, so that stories without it stay as they are. */
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
