import type { Introspection, Services } from "../ports.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { faultView } from "../views/fault-view.ts";
import type { FaultView } from "../views/shell.ts";

export type IntrospectOutcome =
  | { kind: "checked"; active: boolean; scope: string | null; expiresAtMs: number | null; atMs: number }
  /** There is no token to ask about. */
  | { kind: "no_token" }
  | { kind: "unreachable"; fault: FaultView };

/** Asks the service whether the connection's token is active. */
export async function introspectToken(services: Services, { shop }: { shop: string }): Promise<IntrospectOutcome> {
  const connection = await services.store.connections.find({
    shop,
    current: true,
    state: { in: ["active", "unconfirmed"] },
  });
  if (!connection) return { kind: "no_token" };
  let answer: Introspection | null;
  try {
    answer = await services.shipping.introspect(refOf(connection), { priority: "interactive" });
  } catch (error) {
    return { kind: "unreachable", fault: faultView(error) };
  }
  if (!answer) return { kind: "no_token" };
  const { active, scope, expiresAtMs } = answer;
  return { kind: "checked", active, scope, expiresAtMs, atMs: services.clock.nowMs() };
}
