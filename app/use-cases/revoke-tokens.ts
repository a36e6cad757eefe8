import type { ConnectionRecord } from "../domain/records.ts";
import type { CallOptions, Services } from "../ports.ts";

/** Revokes both tokens of a connection as far as the service answers (section 4.8); they end by themselves after two hours. */
export async function revokeTokens(
  { shipping }: Pick<Services, "shipping">,
  connection: ConnectionRecord,
  options: CallOptions,
): Promise<void> {
  const { shop, environment, clientId, clientSecret, scope, redirectUri, accessToken, refreshToken } = connection;
  if (!clientSecret || (!accessToken && !refreshToken)) return;
  const credentials = { shop, environment, clientId, clientSecret: clientSecret.reveal(), scope, redirectUri };
  const tokens = { accessToken: accessToken?.reveal() ?? null, refreshToken: refreshToken?.reveal() ?? null };
  await shipping.revoke({ credentials, ...tokens }, options);
}
