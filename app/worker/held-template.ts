import { reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/** How soon to look again where another target's unclear write should have been cleared up already. */
const LOOK_AGAIN_MS = 5_000;

/** Nobody writes to a template while another target's write to it is unclear; null when none is. */
export async function heldTemplate(
  run: Run,
  { connectionId, templateId }: { connectionId: string; templateId: string },
): Promise<RunEnd | null> {
  const { services, target } = run;
  const others = { shop: target.shop, connectionId, templateId, targetId: { not: target.id } };
  const intents = await services.store.intents.list(others);
  if (intents.length === 0) return null;
  const soonestMs = services.clock.nowMs() + LOOK_AGAIN_MS;
  const untilMs = Math.max(soonestMs, ...intents.map(({ quarantineUntilMs }) => quarantineUntilMs));
  return { kind: "waits", untilMs, reason: reasonOf(run, "quarantine") };
}
