import { FLOW_TRIGGERS } from "../../../app/domain/flow/triggers.ts";
import type { FlowTrigger } from "../../../app/domain/records.ts";
import { readSettings } from "../../../app/pages/read-settings.ts";
import { saveSettings } from "../../../app/shop/save-settings.ts";
import { useTrigger } from "../../../app/triggers/use-trigger.ts";
import type { At, Stage } from "./stage.ts";

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

/** A workflow of Shopify Flow that begins with one of our triggers is turned on, or off. */
export async function useFlowTrigger(stage: Stage, { shop }: At): Promise<boolean> {
  const services = stage.visit();
  if (!services) return false;
  const trigger = stage.random.pick(Object.keys(FLOW_TRIGGERS) as FlowTrigger[]);
  const use = { trigger, isUsed: stage.random.chance(0.7), toldMs: stage.nowMs() };
  return (await useTrigger(services, { shop, ...use })) === "noted";
}
