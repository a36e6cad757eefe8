import type { PrismaClient } from "@prisma/client";
import { AppError } from "../../domain/errors.ts";
import { Secret } from "../../domain/secret.ts";
import { cipherPrefix, decrypt, encrypt, keyIdOf, type Keyring, type SecretPlace } from "./encryption.ts";
import { isUniqueTaken } from "./faults.ts";
import { SECRET_COLUMNS, secretRows } from "./secret-columns.ts";
import type { Unreadable } from "./unreadable.ts";

const KNOWN = "origen";
const CURE =
  "Put the right key back into APP_KEYS (old keys stay after the first until `npm run keys:rotate` is through).";

/** How many unreadable values are logged one by one. */
const MOST_NAMED = 20;

/**
 * Refuses keys with which this database was not written, before anything is read. A key with a known id must decrypt its key check value. A
 * key with a key check value must be present while secrets are encrypted with it. It stores a key check value for the key that encrypts. A
 * single value that no known key can have written is logged, and does not stop the app.
 */
export async function checkKeys(prisma: PrismaClient, keyring: Keyring, unreadable: Unreadable): Promise<void> {
  const known = await prisma.keyCheck.findMany();
  for (const { keyId, value } of known) {
    if (keyring.keys.has(keyId) && !opens(keyring, keyId, value)) {
      throw refused(`The key ${keyId} in APP_KEYS is not the one this database was written with.`);
    }
  }
  const missing = known.map(({ keyId }) => keyId).filter((keyId) => !keyring.keys.has(keyId));
  for (const column of SECRET_COLUMNS) {
    const { model, field } = column;
    for (const keyId of missing) {
      const under = { [field]: { startsWith: cipherPrefix(keyId) } };
      if (await secretRows(prisma, column).findFirst({ where: under }))
        throw refused(`${model}.${field} has values under the key ${keyId}, which APP_KEYS lacks.`);
    }
    const foreign = [...keyring.keys.keys()].map((keyId) => ({
      NOT: { [field]: { startsWith: cipherPrefix(keyId) } },
    }));
    const where = { AND: foreign, [field]: { gt: "" } };
    for (const { id, shop, [field]: value } of await secretRows(prisma, column).findMany({ where, take: MOST_NAMED })) {
      unreadable({ model, field, shop, row: id }, keyIdOf(String(value)));
    }
  }
  const keyId = keyring.firstId;
  const value = encrypt(keyring, new Secret(KNOWN), placeOf(keyId));
  await prisma.keyCheck.upsert({ where: { keyId }, create: { keyId, value }, update: {} }).catch((error: unknown) => {
    // A process that began at the same moment stored it, under the same key.
    if (!isUniqueTaken(error)) throw error;
  });
}

function opens(keyring: Keyring, keyId: string, value: string): boolean {
  try {
    return decrypt(keyring, value, placeOf(keyId)).reveal() === KNOWN;
  } catch {
    return false;
  }
}

function placeOf(keyId: string): SecretPlace {
  return { model: "KeyCanary", field: "value", shop: "", row: keyId };
}

function refused(what: string): AppError {
  return new AppError({ kind: "internal", message: `${what} ${CURE}` });
}
