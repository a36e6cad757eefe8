import { Session } from "@shopify/shopify-api";
import * as z from "zod";
import type { AppError } from "../../domain/errors.ts";
import type { Clock, Log } from "../../ports.ts";
import { faultOfStatus, shopifyFault } from "./faults.ts";
import type { Answer } from "./http.ts";

/** The token endpoint's answers, and what each of them proves. */

const issued = z.object({
  access_token: z.string().min(1),
  scope: z.string().optional(),
  expires_in: z.number().positive().catch(3_600),
  refresh_token: z.string().min(1).optional().catch(undefined),
  refresh_token_expires_in: z.number().positive().optional().catch(undefined),
});

const refused = z.object({ error: z.string() });

/** Errors that concern the app, not the shop. */
const ABOUT_THE_APP: readonly string[] = ["invalid_client", "unauthorized_client", "application_cannot_be_found"];

/** Shopify's error for a refresh token that was spent already, as when its answer was lost. The shop may still have the app. */
const ABOUT_THE_SESSION: readonly string[] = ["invalid_request"];

const ALARM_EVERY_MS = 10 * 60_000;

/** A session of a shop without a token. */
export function emptySession(shop: string): Session {
  return new Session({ id: offlineId(shop), shop, state: "", isOnline: false });
}

/** The id under which Shopify's package looks for a shop's offline session. */
export function offlineId(shop: string): string {
  return `offline_${shop}`;
}

/** The renewed session from the answer, with times on our clock. @throws AppError when the answer holds no token. */
export function renewedSession(old: Session, answer: Answer, nowMs: number): Session {
  const reply = answer.status === 200 ? issued.safeParse(answer.json) : null;
  // A body without a token must not replace a session that may still work.
  if (!reply?.success) throw refusalOf(answer);
  const { access_token, scope, expires_in, refresh_token, refresh_token_expires_in } = reply.data;
  const inSeconds = (seconds: number) => new Date(nowMs + seconds * 1_000);
  return new Session({
    ...old.toObject(),
    accessToken: access_token,
    expires: inSeconds(expires_in),
    ...(scope === undefined ? {} : { scope }),
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(refresh_token_expires_in === undefined ? {} : { refreshTokenExpires: inSeconds(refresh_token_expires_in) }),
  });
}

function refusalOf({ status, json }: Answer): AppError {
  const error = status >= 400 && status < 500 ? refused.safeParse(json).data?.error : undefined;
  if (error === "invalid_grant") return shopifyFault("shopify_refused", "Shopify: the grant is invalid", { status });
  if (error !== undefined && ABOUT_THE_SESSION.includes(error))
    return shopifyFault("shopify_session", `Shopify does not renew the session: ${error}`, { status });
  if (error !== undefined && ABOUT_THE_APP.includes(error))
    return shopifyFault("shopify_unavailable", `Shopify refuses the app's own credentials: ${error}`, { status });
  return status === 200
    ? shopifyFault("shopify_unavailable", "Shopify's answer holds no token")
    : faultOfStatus(status);
}

/** Warns the operator, not too often, when the renewals of all shops fail for one reason. */
export function createSecretAlarm({ clock, log }: { clock: Pick<Clock, "monotonicMs">; log: Log }) {
  let quietUntilMs = -Infinity;
  return (shop: string, { json }: Answer): void => {
    const error = refused.safeParse(json).data?.error;
    if (error === undefined || !ABOUT_THE_APP.includes(error) || clock.monotonicMs() < quietUntilMs) return;
    quietUntilMs = clock.monotonicMs() + ALARM_EVERY_MS;
    log.error(
      { alarm: "shopify_api_secret", shop, said: error },
      "Shopify does not accept the app's own credentials: put the right SHOPIFY_API_KEY and SHOPIFY_API_SECRET in place; nothing of any shop is erased meanwhile",
    );
  };
}
