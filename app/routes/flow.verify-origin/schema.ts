import * as z from "zod";

/** What Shopify Flow sends when a workflow comes to the action; `properties` by the keys of its fields. */
export const flowVerification = z.object({
  shopify_domain: z.string().max(255),
  handle: z.string().max(100),
  action_run_id: z.string().min(1).max(200),
  /** Where a variable of the workflow stands for nothing it is empty: no location has that name, and whoever made the workflow is told so. */
  properties: z.object({ origin: z.string() }),
});

export type FlowVerification = z.infer<typeof flowVerification>;
