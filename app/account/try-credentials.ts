import { CREDENTIAL_FIELDS, LONGEST_CREDENTIAL } from "../domain/address/form-fields.ts";
import type { CredentialField } from "../domain/address/form-fields.ts";
import type { ServiceProblem } from "../domain/errors.ts";
import type { ConnectionRecord, Environment } from "../domain/records.ts";
import { revealed } from "../domain/secret.ts";
import type { Credentials, IssuedToken, Services } from "../ports.ts";
import { faultView } from "../views/fault-view.ts";
import type { FaultView } from "../views/shell.ts";

/** What the owner typed. No client id means the current connection's; no secret means the stored one of that client id. */
export interface StatedCredentials {
  environment: Environment;
  clientId: string | null;
  clientSecret: string | null;
  scope: string | null;
  redirectUri: string | null;
}

export type CredentialsRefusal =
  /** A field is empty and nothing stored stands for it. */
  | { kind: "missing"; fields: ("clientId" | "clientSecret")[] }
  /** More than any credential has. */
  | { kind: "too_long"; fields: CredentialField[] }
  /** The service does not know them. They may belong to the other environment. */
  | { kind: "invalid_client"; serviceMessage: string | null; retryAtMs: number | null; otherEnvironment: Environment }
  /** The service refuses the request for something else: a scope, a redirect URI. */
  | { kind: "refused"; problem: ServiceProblem }
  /** Nobody answered, or something that was not the service (`edge_blocked`): of them nothing is known. */
  | { kind: "unreachable"; fault: FaultView };

export type TriedCredentials = { kind: "issued"; credentials: Credentials; token: IssuedToken } | CredentialsRefusal;

/** Asks the service for a token with them, there and then; stores nothing. */
export async function tryCredentials(
  services: Services,
  { shop, stated }: { shop: string; stated: StatedCredentials },
): Promise<TriedCredentials> {
  const long = CREDENTIAL_FIELDS.filter((field) => (stated[field]?.length ?? 0) > LONGEST_CREDENTIAL);
  if (long.length > 0) return { kind: "too_long", fields: long };
  const known = await storedConnection(services, { shop, stated });
  const clientId = stated.clientId ?? known?.clientId ?? null;
  const clientSecret = stated.clientSecret ?? revealed(known?.clientSecret ?? null);
  const fields = [...(clientId ? [] : ["clientId" as const]), ...(clientSecret ? [] : ["clientSecret" as const])];
  if (!clientId || !clientSecret) return { kind: "missing", fields };

  const { environment, scope, redirectUri } = stated;
  const credentials = { shop, environment, clientId, clientSecret, scope, redirectUri };
  try {
    const outcome = await services.shipping.obtainToken(credentials, { priority: "interactive" });
    if (outcome.kind === "issued") return { kind: "issued", credentials, token: outcome.token };
    if (outcome.kind === "refused") return outcome;
    const { serviceMessage, retryAtMs } = outcome;
    return {
      kind: "invalid_client",
      serviceMessage,
      retryAtMs,
      otherEnvironment: environment === "test" ? "production" : "test",
    };
  } catch (error) {
    return { kind: "unreachable", fault: faultView(error) };
  }
}

async function storedConnection(
  { store }: Services,
  { shop, stated }: { shop: string; stated: StatedCredentials },
): Promise<ConnectionRecord | null> {
  const { environment, clientId } = stated;
  return store.connections.find(clientId ? { shop, environment, clientId } : { shop, environment, current: true });
}
