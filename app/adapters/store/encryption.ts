import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { AppError } from "../../domain/errors.ts";
import { Secret } from "../../domain/secret.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CURE =
  "Set it to id:key, several separated by commas, the first of which encrypts. A new key: openssl rand -base64 32";

export interface Keyring {
  /** The key that encrypts. */
  firstId: string;
  /** All keys that decrypt, by id. */
  keys: ReadonlyMap<string, KeyObject>;
}

/** Where a secret is stored. The ciphertext is bound to it, so that a copy in another row, field or shop does not decrypt. */
export interface SecretPlace {
  model: string;
  field: string;
  shop: string;
  row: string;
}

/** Reads `APP_KEYS` (`id:base64-32-bytes[,id:base64…]`). Throws an `AppError` that says what is wrong and never shows a key. */
export function parseKeys(text: string | undefined): Keyring {
  const entries = (text ?? "").split(",").map((entry) => entry.trim());
  if (entries.every((entry) => entry === "")) throw refused("is missing");
  const keys = new Map<string, KeyObject>();
  for (const [index, entry] of entries.entries()) {
    const { id, key } = parseKey(entry, index + 1);
    if (keys.has(id)) throw refused(`names the key ${id} twice`);
    keys.set(id, key);
  }
  return { firstId: [...keys.keys()][0]!, keys };
}

function parseKey(entry: string, position: number): { id: string; key: KeyObject } {
  const match = /^([a-z0-9-]{1,32}):([A-Za-z0-9+/_-]*={0,2})$/.exec(entry);
  if (!match) throw refused(`is not readable at its key no. ${position}`);
  const bytes = Buffer.from(match[2]!, "base64");
  if (bytes.length !== KEY_BYTES)
    throw refused(`has ${bytes.length} bytes in the key ${match[1]}, and needs ${KEY_BYTES}`);
  if (bytes.every((byte) => byte === bytes[0])) throw refused(`has one byte again and again in the key ${match[1]}`);
  return { id: match[1]!, key: createSecretKey(bytes) };
}

function refused(what: string): AppError {
  return new AppError({ kind: "internal", message: `APP_KEYS ${what}. ${CURE}` });
}

/** The whole of a value: text after its last part, or in it, would otherwise be passed over. */
const FORM = /^v1\.([a-z0-9-]{1,32})\.([\w-]*)\.([\w-]*)$/;

/** The beginning of every value that this key has encrypted. */
export function cipherPrefix(keyId: string): string {
  return `v1.${keyId}.`;
}

/** The id of the key that a value names; null for a value that is not in our format. */
export function keyIdOf(text: string): string | null {
  return /^v1\.([a-z0-9-]{1,32})\./.exec(text)?.[1] ?? null;
}

/** AES-256-GCM with the first key: `v1.<key id>.<iv>.<ciphertext and tag>`, the last two in base64url. */
export function encrypt(keyring: Keyring, secret: Secret, place: SecretPlace): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyring.keys.get(keyring.firstId)!, iv);
  cipher.setAAD(additionalData(place));
  const sealed = Buffer.concat([cipher.update(secret.reveal(), "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${cipherPrefix(keyring.firstId)}${iv.toString("base64url")}.${sealed.toString("base64url")}`;
}

/** Throws an `AppError` of kind `internal` when the key is missing, or the value was altered or moved. */
export function decrypt(keyring: Keyring, text: string, place: SecretPlace): Secret {
  const [, keyId = null, iv = "", sealed = ""] = FORM.exec(text) ?? [];
  const key = keyId === null ? undefined : keyring.keys.get(keyId);
  if (!key) {
    const cause = keyId === null ? "it is not in our format" : `its key ${keyId} is not in APP_KEYS`;
    throw new AppError({ kind: "internal", message: `${place.model}.${place.field} does not decrypt: ${cause}` });
  }
  const [nonce, bytes] = [Buffer.from(iv, "base64url"), Buffer.from(sealed, "base64url")];
  try {
    // A decoder passes over what is left of its last four characters.
    if (nonce.toString("base64url") !== iv || bytes.toString("base64url") !== sealed)
      throw new Error("not as it was written");
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return new Secret(plain.toString("utf8"));
  } catch (cause) {
    const message = `${place.model}.${place.field} does not decrypt: altered, moved, or encrypted with another key of the id ${keyId}`;
    throw new AppError({ kind: "internal", message, cause });
  }
}

function additionalData(place: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([place.model, place.field, place.shop, place.row]), "utf8");
}
