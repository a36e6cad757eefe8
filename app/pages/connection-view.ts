import type { ConnectionRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { connectionFault } from "../views/fault-view.ts";
import { keptLinks } from "../account/kept-links.ts";
import { lastAnswerAtMs } from "../views/connection-summary.ts";
import { maskClientId } from "../views/masked.ts";
import type { ConnectionView } from "../views/settings.ts";

/** Of a connection, what may leave for the browser. */
export async function connectionView(
  services: Pick<Services, "store">,
  connection: ConnectionRecord,
): Promise<ConnectionView> {
  const { environment, state, clientId, scope, redirectUri, tokenScope, tokenObtainedAtMs, tokenExpiresAtMs } =
    connection;
  const hasToken = connection.accessToken !== null && tokenObtainedAtMs !== null && tokenExpiresAtMs !== null;
  return {
    id: connection.id,
    environment,
    state,
    unreadable: connection.clientSecret?.readable === false,
    maskedClientId: maskClientId(clientId),
    scope,
    redirectUri,
    token: hasToken ? { scope: tokenScope, obtainedAtMs: tokenObtainedAtMs, expiresAtMs: tokenExpiresAtMs } : null,
    lastSuccessAtMs: lastAnswerAtMs(connection),
    fault: connectionFault(connection),
    linksKept: state === "unconfirmed" ? ((await keptLinks(services.store, connection))[0]?.links.length ?? 0) : 0,
  };
}
