import type { PrismaClient } from "@prisma/client";
import { AppError, isAppError } from "../../domain/errors.ts";
import { checkKeys } from "./key-check.ts";
import { isLocked, openPrisma } from "./database.ts";
import { cipherPrefix, decrypt, encrypt, type Keyring, type SecretPlace } from "./encryption.ts";
import { storeFault } from "./faults.ts";
import { isPostgres } from "./postgresql/is-postgres.ts";
import { isRetryable } from "./transactions/retryable.ts";
import { SECRET_COLUMNS, secretRows, type SecretColumn } from "./secret-columns.ts";

export interface RotationResult {
  reencrypted: number;
  /** Values that no key decrypts, as `Model.field of row`. They stay as they are, so the older keys must stay, too. */
  unreadable: string[];
}

export interface RotationInput {
  url: string;
  keyring: Keyring;
  /** Called after each batch's commit, with what the batch changed. */
  onBatch?: (column: SecretColumn, reencrypted: number) => void;
  /** Called each time a statement has waited in vain for another writer; the statement is tried again. */
  onBusy?: () => void;
}

const BATCH = 100;

/** Each try waits the five seconds of a statement, so a minute in all. */
const MOST_TRIES = 12;

/** Prisma's code for a statement that gave up waiting for another writer. */
const WAITED_IN_VAIN = "P1008";

/**
 * Re-encrypts every secret that is not encrypted with the first key. Each batch is a transaction, and a value is changed only if it is
 * still the one that was read. So the rotation may be killed at any point, run again, and run beside the app.
 */
export async function rotateKeys(input: RotationInput): Promise<RotationResult> {
  const { url, keyring } = input;
  const prisma = await openPrisma(url);
  try {
    await refuseBesideOlderApp(prisma, input);
    await patiently(input, () => checkKeys(prisma, keyring, () => undefined));
    const results = [];
    for (const column of SECRET_COLUMNS) results.push(await rotateColumn({ prisma, column, input }));
    const unreadable = results.flatMap((result) => result.unreadable);
    const older = { where: { keyId: { not: keyring.firstId } } };
    if (unreadable.length === 0) await patiently(input, () => prisma.keyCheck.deleteMany(older));
    if (!isPostgres(url)) await forgetOverwritten(prisma, input);
    return { reencrypted: results.reduce((sum, result) => sum + result.reencrypted, 0), unreadable };
  } catch (error) {
    throw storeFault("rotating the keys", error);
  } finally {
    await prisma.$disconnect();
  }
}

/**
 * The values of before are overwritten in the file, and stay in the log beside it until that is written back. Without the app the file is
 * also written anew, for a release that did not overwrite may have left some.
 */
async function forgetOverwritten(prisma: PrismaClient, input: RotationInput): Promise<void> {
  if (!(await isLocked(input.url))) await patiently(input, () => prisma.$executeRaw`VACUUM`);
  await patiently(input, () => prisma.$queryRaw`PRAGMA wal_checkpoint(TRUNCATE)`);
}

/**
 * SQLite lets writers wait, but not in turn, so a process that writes all the time may keep us out. When a statement gives up, nothing of
 * `work` was done.
 */
async function patiently<T>({ onBusy }: RotationInput, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === WAITED_IN_VAIN;
      if (!(busy || isRetryable(error)) || tries === MOST_TRIES) throw error;
      onBusy?.();
    }
  }
}

/**
 * A running app without the new key could not read the re-encrypted values. The key check value tells whether it was started with the new
 * key.
 */
async function refuseBesideOlderApp(prisma: PrismaClient, { url, keyring }: RotationInput): Promise<void> {
  const known = await prisma.keyCheck.findUnique({ where: { keyId: keyring.firstId } });
  if (known || !(await isLocked(url))) return;
  const cure = "Start it again with this APP_KEYS, or stop it, and then rotate.";
  throw new AppError({ kind: "internal", message: `The app is running without the key ${keyring.firstId}. ${cure}` });
}

async function rotateColumn(run: {
  prisma: PrismaClient;
  column: SecretColumn;
  input: RotationInput;
}): Promise<RotationResult> {
  const { prisma, column, input } = run;
  const { model, field } = column;
  const older = { NOT: { [field]: { startsWith: cipherPrefix(input.keyring.firstId) } } };
  const result: RotationResult = { reencrypted: 0, unreadable: [] };
  for (let after = ""; ;) {
    const where = { ...older, [field]: { gt: "" }, id: { gt: after } };
    const batch = await secretRows(prisma, column).findMany({ where, orderBy: { id: "asc" }, take: BATCH });
    if (batch.length === 0) return result;
    const fresh = batch.map(({ id, shop, [field]: held }) => {
      const value = reencrypt(input.keyring, String(held), { model, field, shop, row: id });
      if (value === null) result.unreadable.push(`${model}.${field} of ${id}`);
      return { where: { id, [field]: held }, value };
    });
    const changed = await patiently(input, () =>
      prisma.$transaction(async (client) => {
        let count = 0;
        for (const { where, value } of fresh) {
          if (value === null) continue;
          count += (await secretRows(client, column).updateMany({ where, data: { [field]: value } })).count;
        }
        return count;
      }),
    );
    after = batch.at(-1)!.id;
    result.reencrypted += changed;
    input.onBatch?.(column, changed);
  }
}

/** The value under the first key; null when no key decrypts it. */
function reencrypt(keyring: Keyring, held: string, place: SecretPlace): string | null {
  try {
    return encrypt(keyring, decrypt(keyring, held, place), place);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
