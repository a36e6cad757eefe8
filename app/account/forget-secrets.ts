import type { ConnectionRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** The columns of a connection without its secret and its tokens. */
export const NO_SECRETS = {
  clientSecret: null,
  accessToken: null,
  refreshToken: null,
  tokenScope: null,
  tokenObtainedAtMs: null,
  tokenExpiresAtMs: null,
} as const;

/** Forgets a connection's secret and tokens. Fenced: credentials given meanwhile raised the version and stay. */
export async function forgetSecrets(
  tables: Pick<Tables, "connections">,
  { id, shop, version }: Pick<ConnectionRecord, "id" | "shop" | "version">,
): Promise<void> {
  await tables.connections.update({ id, shop, version }, NO_SECRETS);
}
