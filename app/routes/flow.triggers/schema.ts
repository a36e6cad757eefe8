import * as z from "zod";

/** What Shopify Flow sends when a workflow with one of our triggers is turned on, or the last one off. */
export const flowTriggerUse = z.object({
  shopify_domain: z.string().max(255),
  /** The trigger's name or handle. */
  flow_trigger_definition_id: z.string().max(255),
  has_enabled_flow: z.boolean(),
  timestamp: z.string().max(40).transform(Date.parse).refine(Number.isFinite),
});

export type FlowTriggerUse = z.infer<typeof flowTriggerUse>;
