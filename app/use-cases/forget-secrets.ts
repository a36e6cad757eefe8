import type { ConnectionRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** Forgets a connection's secret and tokens. Fenced: credentials given meanwhile raised the version and stay. */
export async function forgetSecrets(
  tables: Pick<Tables, "connections">,
  { id, shop, version }: Pick<ConnectionRecord, "id" | "shop" | "version">,
): Promise<void> {
  const nothing = { clientSecret: null, accessToken: null, refreshToken: null, tokenScope: null };
  await tables.connections.update(
    { id, shop, version },
    { ...nothing, tokenObtainedAtMs: null, tokenExpiresAtMs: null },
  );
}
