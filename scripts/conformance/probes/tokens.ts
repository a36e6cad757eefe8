import { asNumber, asRecord, parseJson } from "../../../app/adapters/shipping/wire/json.ts";
import type { IssuedToken } from "../../../app/ports.ts";
import type { Asking } from "../asking.ts";
import type { Operation } from "../../../app/adapters/shipping/retry.ts";
import { ask, type Outcome } from "../service.ts";
import { shapeOf } from "../shape.ts";

/** docs/shipping-interface.md, 4.7 to 4.9: how long a token lives, beside which others, and what ends it. */
export async function askTokens(asking: Asking): Promise<void> {
  const { service, seen, call } = asking;
  const { client, credentials } = service;

  const first = await issued(asking, null);
  const second = await issued(asking, null);
  if (!first || !second) return;
  if (first.accessToken === second.accessToken) seen.tokensAtOnce = "same";
  else {
    const status = await statusWith(asking, first.accessToken);
    if (status === 200 || status === 401) seen.tokensAtOnce = status === 200 ? "all" : "last";
  }

  await askRefresh(asking, second);

  const live = await issued(asking, null);
  if (!live) return;
  const holder = { credentials, token: live.accessToken, hint: "access_token" } as const;
  const told = await ask(service, () => client.introspect(holder, call));
  note(asking, "introspect", told);
  const revoked = await ask(service, () => client.revoke(holder, call));
  note(asking, "revoke", revoked);
  const status = await statusWith(asking, live.accessToken);
  if (revoked.answer) seen.revoke = { status: revoked.answer.status, ends: status === 401 };
  const after = await ask(service, () => client.introspect(holder, call));
  if (told.answer)
    seen.introspect = {
      status: told.answer.status,
      tells: Object.keys(asRecord(parseJson(told.answer.body)) ?? {}).sort(),
      tellsEnd: after.value ? after.value.active === (status !== 401) : null,
    };
}

/** docs/shipping-interface.md, 4.7: credentials that are wrong. One request, so that nobody locks the client. */
export async function askWrongSecret({ service, seen, call }: Asking): Promise<void> {
  const { client, credentials } = service;
  const wrong = { ...credentials, clientSecret: "not-the-secret-of-this-client" };
  const { answer } = await ask(service, () => client.token(wrong, null, call));
  if (answer) seen.wrongSecret = shapeOf(answer);
}

/** docs/shipping-interface.md, 5: what a resource operation answers to a token that nobody issued. */
export async function askUnauthorized({ service, seen, call }: Asking): Promise<void> {
  const { answer } = await ask(service, () =>
    service.client.list(service.withToken("not-a-token-of-anybody"), { ...call, page: 1, perPage: 1 }),
  );
  if (answer) seen.unauthorized = shapeOf(answer);
}

async function issued(asking: Asking, refreshToken: string | null): Promise<IssuedToken | null> {
  const { service, seen, call } = asking;
  const outcome = await ask(service, () => service.client.token(service.credentials, refreshToken, call));
  if (refreshToken === null) note(asking, "token", outcome);
  const { value, answer } = outcome;
  if (value?.kind !== "issued") return null;
  const lifetime = asNumber(asRecord(parseJson(answer?.body ?? ""))?.["expires_in"]);
  // A token that is given out again has lived for a while.
  if (lifetime !== null) seen.tokenLifetimeS = Math.max(lifetime, seen.tokenLifetimeS ?? 0);
  return value.token;
}

async function askRefresh(asking: Asking, { refreshToken }: IssuedToken): Promise<void> {
  const { seen } = asking;
  if (refreshToken === null) return void (seen.refreshToken = "none");
  if (!(await issued(asking, refreshToken))) return void (seen.refreshToken = "refused");
  seen.refreshToken = (await issued(asking, refreshToken)) ? "often" : "once";
}

async function statusWith({ service, call }: Asking, token: string): Promise<number | null> {
  const list = () => service.client.list(service.withToken(token), { ...call, page: 1, perPage: 1 });
  return (await ask(service, list)).answer?.status ?? null;
}

/** Keeps the status of an operation's good answer. */
export function note({ seen }: Asking, operation: Operation, { answer, value }: Outcome<unknown>): void {
  if (!answer) return;
  const isRead = value !== null && value !== false;
  (seen.operations ??= {})[operation] ??= { status: answer.status, isRead };
}
