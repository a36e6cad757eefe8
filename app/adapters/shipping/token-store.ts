import { AppError, isAppError } from "../../domain/errors.ts";
import type { ConnectionState } from "../../domain/records.ts";
import type { Credentials, IssuedToken } from "../../ports.ts";

/** What the tokens need of the store's `connections`; wired in `services.server.ts`. */

export interface StoredConnection {
  /** Null when the secret has been forgotten. */
  credentials: Credentials | null;
  version: number;
  state: ConnectionState;
  token: IssuedToken | null;
}

export interface Refusal {
  connectionId: string;
  version: number;
  serviceMessage: string | null;
  /** Of the request that was refused. */
  requestId: string | null;
}

export interface TokenStore {
  read(connectionId: string): Promise<StoredConnection | null>;
  /** False when the connection has another version by now; nothing is written then. */
  save(input: { connectionId: string; version: number; token: IssuedToken }): Promise<boolean>;
  /** Records that the service refuses the credentials of this version; nothing is written if the version moved on. */
  markInvalid(input: Refusal): Promise<void>;
}

/** The same, with every failure an `AppError`. */
export function guarded(store: TokenStore): TokenStore {
  return {
    read: (connectionId) => store.read(connectionId).catch(failed),
    save: (input) => store.save(input).catch(failed),
    markInvalid: (input) => store.markInvalid(input).catch(failed),
  };
}

function failed(cause: unknown): never {
  if (isAppError(cause)) throw cause;
  throw new AppError({ kind: "internal", message: "the store of tokens failed", cause, effect: "none" });
}
