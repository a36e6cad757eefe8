/** Applications and their tokens. A token is remembered after its end, so that its calls still count for its client. */
import type { Chance } from "./chance.ts";
import type { Behaviour, ClientApplication } from "./options.ts";
import type { Environment } from "./routing.ts";

export interface Client extends Required<Omit<ClientApplication, "redirectUri">> {
  /** `environment:clientId`, the client's name in reports. */
  key: string;
  redirectUri: string | null;
}

export interface Token {
  value: string;
  kind: "access_token" | "refresh_token";
  clientKey: string;
  scope: string;
  issuedAtMs: number;
  /** Null: no end of its own. */
  expiresAtMs: number | null;
  revoked: boolean;
}

export interface Tokens {
  client(environment: Environment, clientId: string): Client | undefined;
  holder(token: Token): Client | undefined;
  clients(): Client[];
  addClient(application: ClientApplication): Client;
  find(environment: Environment, value: string): Token | undefined;
  issue(client: Client, request: { scope: string; nowMs: number }): { access: Token; refresh: Token | null };
  /** Returns how many tokens still lived. */
  revokeAll(clientKey: string, nowMs: number): number;
  all(): Token[];
  restore(tokens: Token[]): void;
}

export function isActive(token: Token, nowMs: number): boolean {
  return !token.revoked && (token.expiresAtMs === null || token.expiresAtMs > nowMs);
}

/** The name of a client in reports; a path outside both environments has none. */
export function clientKey(environment: Environment | null, clientId: string): string {
  return `${environment ?? "elsewhere"}:${clientId}`;
}

/** Beyond this many, the oldest tokens that have ended are forgotten. */
const TOKENS_KEPT = 50_000;

export function createTokens({ behaviour, chance }: { behaviour: Behaviour; chance: Chance }): Tokens {
  const clients = new Map<string, Client>();
  const tokens = new Map<string, Token>();

  function keep(token: Token): Token {
    tokens.set(token.value, token);
    if (tokens.size > TOKENS_KEPT) {
      for (const old of tokens.values()) {
        if (tokens.size <= TOKENS_KEPT / 2) break;
        if (!isActive(old, token.issuedAtMs)) tokens.delete(old.value);
      }
    }
    return token;
  }

  return {
    client: (environment, clientId) => clients.get(clientKey(environment, clientId)),
    holder: (token) => clients.get(token.clientKey),
    clients: () => [...clients.values()],
    addClient(application) {
      const key = clientKey(application.environment, application.clientId);
      const client: Client = {
        ...application,
        key,
        account: application.account ?? key,
        redirectUri: application.redirectUri ?? null,
        scopes: application.scopes ?? ["default", "read", "write"],
      };
      clients.set(key, client);
      return client;
    },
    find(environment, value) {
      const token = tokens.get(value);
      return token?.clientKey.startsWith(`${environment}:`) ? token : undefined;
    },
    issue(client, { scope, nowMs }) {
      if (behaviour.tokensAtOnce !== "all") {
        const living = [...tokens.values()].filter(
          (one) => one.clientKey === client.key && one.kind === "access_token" && isActive(one, nowMs),
        );
        const again = living.find((one) => one.scope === scope);
        if (behaviour.tokensAtOnce === "same" && again) return { access: again, refresh: null };
        for (const one of living) one.revoked = true;
      }
      const base = { clientKey: client.key, scope, issuedAtMs: nowMs, revoked: false };
      const value = () => chance.uuid(`token:${client.key}`).replaceAll("-", "");
      const expiresAtMs = nowMs + behaviour.tokenLifetimeSeconds * 1000;
      const access = keep({ ...base, kind: "access_token", value: value(), expiresAtMs });
      if (!behaviour.refreshTokens) return { access, refresh: null };
      return { access, refresh: keep({ ...base, kind: "refresh_token", value: value(), expiresAtMs: null }) };
    },
    revokeAll(key, nowMs) {
      let revoked = 0;
      for (const token of tokens.values()) {
        if (token.clientKey !== key || !isActive(token, nowMs)) continue;
        token.revoked = true;
        revoked++;
      }
      return revoked;
    },
    all: () => [...tokens.values()],
    restore(list) {
      tokens.clear();
      for (const token of list) tokens.set(token.value, token);
    },
  };
}
