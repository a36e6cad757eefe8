import { verifyForFlow } from "../../flow/verify-for-flow.ts";
import type { FlowOutcome } from "../../flow/verify-for-flow.ts";
import type { Services } from "../../ports.ts";
import type { FlowVerification } from "./schema.ts";

/** Has the carriers asked about the origin that the workflow names. */
export function perform(
  services: Services,
  { shop, asked }: { shop: string; asked: FlowVerification },
): Promise<FlowOutcome> {
  return verifyForFlow(services, { shop, actionRunId: asked.action_run_id, origin: asked.properties.origin });
}
