import { isAppError } from "../../domain/errors.ts";
import { Secret } from "../../domain/secret.ts";
import type { Log } from "../../ports.ts";
import { decrypt, keyIdOf, type Keyring, type SecretPlace } from "./encryption.ts";

/** A value that no key decrypts affects only its row: it is logged, and everything else goes on. */

/** Logs a place where a value does not decrypt, each place once. */
export type Unreadable = (place: SecretPlace, keyId: string | null) => void;

export function tellUnreadable(log: Log): Unreadable {
  const told = new Set<string>();
  return ({ model, field, shop, row }, keyId) => {
    const place = `${model} ${field} ${row}`;
    if (told.has(place)) return;
    told.add(place);
    log.error(
      { alarm: "unreadable_secret", model, field, shop, row, keyId },
      "a stored value does not decrypt: its shop alone is stopped; put its key into APP_KEYS, or let its owner give it anew",
    );
  };
}

/** The secret, or a `Secret` that cannot be revealed. */
export function openSecret(
  { keyring, unreadable }: { keyring: Keyring; unreadable: Unreadable },
  text: string,
  place: SecretPlace,
): Secret {
  try {
    return decrypt(keyring, text, place);
  } catch (error) {
    if (!isAppError(error)) throw error;
    unreadable(place, keyIdOf(text));
    return Secret.unreadable(error.message);
  }
}
