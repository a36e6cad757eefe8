import type { Services } from "../ports.ts";
import { tryCredentials } from "./try-credentials.ts";
import type { CredentialsRefusal, StatedCredentials } from "./try-credentials.ts";

export type TestOutcome = { kind: "works"; scope: string | null } | CredentialsRefusal;

/** Whether the service takes these credentials, before anything is swapped. The token it cost is given back. */
export async function testCredentials(
  services: Services,
  { shop, stated }: { shop: string; stated: StatedCredentials },
): Promise<TestOutcome> {
  const tried = await tryCredentials(services, { shop, stated });
  if (tried.kind !== "issued") return tried;
  const { accessToken, refreshToken, scope } = tried.token;
  services.shipping
    .revoke({ credentials: tried.credentials, accessToken, refreshToken }, { priority: "reconcile" })
    .catch((error: unknown) => services.log.warn({ shop, error }, "a test's token was not revoked; it ends by itself"));
  return { kind: "works", scope };
}
