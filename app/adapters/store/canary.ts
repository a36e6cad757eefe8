import type { PrismaClient } from "@prisma/client";
import { AppError } from "../../domain/errors.ts";
import { Secret } from "../../domain/secret.ts";
import { cipherPrefix, decrypt, encrypt, type Keyring, type SecretPlace } from "./encryption.ts";
import { SECRET_COLUMNS, secretRows } from "./secret-columns.ts";

const KNOWN = "origen";
const CURE =
  "Put the right key back into APP_KEYS (old keys stay after the first until `npm run keys:rotate` is through).";

/**
 * Refuses keys that this database was not written with, before anything is read with them: a key of a known id must decrypt its
 * canary, and no secret may be under a key that is not there. Leaves a canary for the key that encrypts.
 */
export async function checkKeys(prisma: PrismaClient, keyring: Keyring): Promise<void> {
  for (const { keyId, value } of await prisma.keyCanary.findMany()) {
    if (keyring.keys.has(keyId) && !opens(keyring, keyId, value)) {
      throw refused(`The key ${keyId} in APP_KEYS is not the one this database was written with.`);
    }
  }
  for (const column of SECRET_COLUMNS) {
    const other = {
      AND: [...keyring.keys.keys()].map((keyId) => ({ NOT: { [column.field]: { startsWith: cipherPrefix(keyId) } } })),
    };
    const row = await secretRows(prisma, column).findFirst({ where: { ...other, [column.field]: { gt: "" } } });
    if (row) {
      const [version, keyId] = String(row[column.field]).split(".");
      const what = version === "v1" ? `under the key ${keyId}, which APP_KEYS lacks` : "that are not encrypted";
      throw refused(`${column.model}.${column.field} has values ${what}.`);
    }
  }
  const keyId = keyring.firstId;
  const value = encrypt(keyring, new Secret(KNOWN), placeOf(keyId));
  await prisma.keyCanary.upsert({ where: { keyId }, create: { keyId, value }, update: {} });
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
