import type { ConnectionRecord } from "../domain/records.ts";
import { revealed } from "../domain/secret.ts";
import type { CallOptions, Services } from "../ports.ts";

/**
 * Revokes both tokens of a connection as far as the service answers (docs/shipping-interface.md, 4.8). They end by themselves in two hours.
 */
export async function revokeTokens(
  { shipping }: Pick<Services, "shipping">,
  connection: ConnectionRecord,
  options: CallOptions,
): Promise<void> {
  const { shop, environment, clientId, scope, redirectUri } = connection;
  const clientSecret = revealed(connection.clientSecret);
  const tokens = { accessToken: revealed(connection.accessToken), refreshToken: revealed(connection.refreshToken) };
  if (clientSecret === null || (tokens.accessToken === null && tokens.refreshToken === null)) return;
  const credentials = { shop, environment, clientId, clientSecret, scope, redirectUri };
  await shipping.revoke({ credentials, ...tokens }, options);
}
