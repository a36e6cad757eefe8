import { AppError, isAppError } from "../../domain/errors.ts";
import type { TokenStore } from "../../ports.ts";

/** The same store of tokens; whatever it throws becomes an `AppError`. */
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
