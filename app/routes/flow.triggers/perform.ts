import { flowTriggerOf } from "../../domain/flow/triggers.ts";
import type { Services } from "../../ports.ts";
import { useTrigger } from "../../triggers/use-trigger.ts";
import type { FlowTriggerUse } from "./schema.ts";

/** Notes whether the shop's workflows use the trigger. */
export async function perform(
  services: Services,
  { shop, asked }: { shop: string; asked: FlowTriggerUse },
): Promise<"noted" | "unknown_shop" | "unknown_trigger"> {
  const trigger = flowTriggerOf(asked.flow_trigger_definition_id);
  if (!trigger) return "unknown_trigger";
  return useTrigger(services, { shop, trigger, isUsed: asked.has_enabled_flow, toldMs: asked.timestamp });
}
