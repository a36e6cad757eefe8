import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Prisma, PrismaClient } from "@prisma/client";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../ports.ts";
import { checkDatabase, lockDatabase, openPrisma } from "./database.ts";
import type { DatabaseLock } from "./database-lock.ts";
import type { Keyring } from "./encryption.ts";
import { storeFault } from "./faults.ts";
import { readHistory } from "./releases/history.ts";
import { checkKeys } from "./key-check.ts";
import { databasePath } from "./libsql.ts";
import { markMoved, movedTo } from "./copies/moved.ts";
import { placeOf } from "./postgresql/connection.ts";
import { isPostgres } from "./postgresql/is-postgres.ts";
import { withoutNul } from "./row.ts";
import { TABLE_SPECS } from "./table-specs.ts";

/** Moves everything from a SQLite database to an empty one on PostgreSQL. */

export interface MoveInput {
  /** `file:…` */
  from: string;
  /** `postgresql://…` */
  to: string;
  keyring: Keyring;
  log: Log;
  /** How long a request of an app that was killed a moment ago may still be under way; no slot on PostgreSQL knows of it. */
  slotsRestMs: number;
  /** The folders of both databases' migrations. */
  migrations: { from: URL; to: URL };
  /** Called when all rows of a model were copied and compared. */
  onModel?: (model: string, rows: number) => void;
}

export interface MoveResult {
  /** False when an earlier call had moved everything already. */
  movedNow: boolean;
  /** The server and database, without user or password. */
  place: string;
}

type Client = PrismaClient | Prisma.TransactionClient;
type Row = Record<string, unknown>;

interface Model {
  name: string;
  key: readonly string[];
}

/** Shops come first, which the other rows name. */
const MODELS: readonly Model[] = [
  ...Object.values(TABLE_SPECS).map(({ model, keys }) => ({ name: model, key: keys[0] as readonly string[] })),
  { name: "Session", key: ["id"] },
  { name: "PostalEdition", key: ["number"] },
  { name: "PostalCode", key: ["edition", "code"] },
  { name: "KeyCheck", key: ["keyId"] },
];

/** An app that was started once on the empty database has left its own. */
const KEY_CHECKS = MODELS.at(-1)!;

const BATCH = 500;
/** A database of a million rows takes minutes. */
const LONGEST_MS = 6 * 3_600_000;

/**
 * Copies every row as it stands, in one transaction: a move that is stopped leaves nothing. Ciphertexts move unopened, because they are
 * bound to model, field, shop and row, and none of those changes. Each model is read again and compared before the commit. Leases are
 * freed, because whoever held one has ended. Afterwards the SQLite database is marked, so that no app starts on it by mistake.
 * @throws an `AppError` that says what to do when an app runs on either database, when either is not migrated, when the target is not
 * empty, or when a key is wrong or missing.
 */
export async function moveDatabase(input: MoveInput): Promise<MoveResult> {
  const { from, to, keyring, log } = input;
  await checkAddresses(input);
  const place = placeOf(to);
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const locked = async (url: string): Promise<DatabaseLock> => {
      const lock = await lockDatabase({ url, waitMs: 0, log, alone: true });
      closing.unshift(() => lock.release());
      return lock;
    };
    const opened = async (url: string): Promise<PrismaClient> => {
      const prisma = await openPrisma(url);
      closing.unshift(() => prisma.$disconnect());
      return prisma;
    };
    await locked(from);
    const source = await opened(from);
    const before = await movedTo(source);
    if (before?.to === place) return { movedNow: false, place };
    if (before) throw refused(`${from} was moved to ${before.to} at ${before.at}.`);
    await checkDatabase(to);
    await locked(to);
    const target = await opened(to);
    await checkMigrated(source, { url: from, place: from, folder: input.migrations.from });
    await checkMigrated(target, { url: to, place, folder: input.migrations.to });
    await checkKeys(source, keyring, () => undefined);
    await freeLeases(source);
    await target.$executeRaw`SELECT "budget"."close_for"(${input.slotsRestMs}::int)`;
    const movedNow = await moveRows({ source, target, input });
    await markMoved(source, { to: place, at: new Date().toISOString() });
    return { movedNow, place };
  } catch (error) {
    throw storeFault("moving the database", error);
  } finally {
    for (const close of closing) await close().catch(() => undefined);
  }
}

async function checkAddresses({ from, to }: MoveInput): Promise<void> {
  if (!from.startsWith("file:")) throw refused("--from is no SQLite database: it begins with file:");
  if (!isPostgres(to)) throw refused("--to is no PostgreSQL database: it begins with postgresql://");
  const path = databasePath(from);
  // SQLite would make an empty database.
  if (path === null || !(await stat(path).catch(() => null))) throw refused(`there is no database at ${from}.`);
}

/** Both databases have today's tables, or columns would be lost. */
async function checkMigrated(prisma: PrismaClient, at: { url: string; place: string; folder: URL }): Promise<void> {
  const { missing, all } = await readHistory(prisma, at);
  if (missing.length === 0) return;
  const cure = "Run `npm run migrate` with DATABASE_URL set to it.";
  throw refused(`${at.place} lacks ${missing.length} of ${all} migrations. ${cure}`);
}

/** As an app does when it starts alone. */
async function freeLeases(source: PrismaClient): Promise<void> {
  const free = { leaseOwner: null, leaseUntilMs: null, dueAtMs: BigInt(Date.now()) };
  await source.workItem.updateMany({ where: { leaseUntilMs: { gt: 0 } }, data: free });
}

interface Move {
  source: PrismaClient;
  target: PrismaClient;
  input: MoveInput;
}

/** True when the rows were copied now; false when all of them were there, which a move leaves that was stopped before its mark. */
async function moveRows({ source, target, input }: Move): Promise<boolean> {
  const filled = [];
  for (const model of MODELS)
    if (model !== KEY_CHECKS && (await rowsOf(target, model).count()) > 0) filled.push(model.name);
  if (filled.length > 0) {
    for (const model of MODELS)
      if ((await firstDifference(source, target, model)) !== null)
        throw refused(
          `${placeOf(input.to)} is not empty: there are rows of ${filled.join(", ")}. Name an empty database.`,
        );
    return false;
  }
  await target.$transaction(
    async (into) => {
      await into.keyCheck.deleteMany();
      for (const model of MODELS) {
        const rows = await copy(source, into, model);
        const differs = await firstDifference(source, into, model);
        if (differs !== null) throw refused(`${model.name} ${differs} did not arrive as it was.`);
        input.onModel?.(model.name, rows);
      }
    },
    { maxWait: 10_000, timeout: LONGEST_MS },
  );
  return true;
}

async function copy(source: Client, into: Client, model: Model): Promise<number> {
  let copied = 0;
  for await (const data of batches(source, model)) copied += (await rowsOf(into, model).createMany({ data })).count;
  return copied;
}

/** The key of the first row that both do not hold alike; null when all are alike. Both databases sort texts by their bytes. */
async function firstDifference(source: Client, target: Client, model: Model): Promise<string | null> {
  const theirs = batches(target, model);
  for await (const batch of batches(source, model)) {
    const { value: there = [] } = (await theirs.next()) as IteratorResult<Row[], undefined>;
    const at = batch.findIndex((row, index) => !isDeepStrictEqual(row, there[index]));
    if (at >= 0) return nameOf(batch[at]!, model);
    if (there.length > batch.length) return nameOf(there[batch.length]!, model);
  }
  const { value: more } = (await theirs.next()) as IteratorResult<Row[], undefined>;
  return more?.[0] ? nameOf(more[0], model) : null;
}

async function* batches(client: Client, model: Model): AsyncGenerator<Row[], undefined> {
  const { key } = model;
  const orderBy = key.map((field) => ({ [field]: "asc" }));
  let after: Row | null = null;
  for (;;) {
    const from: Row = after === null ? {} : { cursor: cursorOf(after, model), skip: 1 };
    const found: Row[] = await rowsOf(client, model).findMany({ orderBy, take: BATCH, ...from });
    if (found.length === 0) return undefined;
    after = found.at(-1)!;
    yield found.map(asKept);
  }
}

/** Prisma names a key of several fields by all of them. */
function cursorOf(row: Row, { key }: Model): Row {
  const fields = Object.fromEntries(key.map((field) => [field, row[field]]));
  return key.length === 1 ? fields : { [key.join("_")]: fields };
}

/** Rows of before the rule that a text has no NUL. */
function asKept(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, typeof value === "string" ? withoutNul(value) : value]),
  );
}

function nameOf(row: Row, { key }: Model): string {
  return key.map((field) => String(row[field])).join(" ");
}

interface Rows {
  count(): Promise<number>;
  findMany(query: Row): Promise<Row[]>;
  createMany(query: { data: Row[] }): Promise<{ count: number }>;
}

function rowsOf(client: Client, { name }: Model): Rows {
  return (client as unknown as Record<string, Rows>)[name.charAt(0).toLowerCase() + name.slice(1)]!;
}

function refused(why: string): AppError {
  return new AppError({ kind: "internal", message: `Nothing was moved: ${why}` });
}
