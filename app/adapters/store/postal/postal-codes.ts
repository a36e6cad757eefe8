import { Prisma } from "@prisma/client";
import type { PostalEdition as EditionRow, PrismaClient } from "@prisma/client";
import { AppError } from "../../../domain/errors.ts";
import { chunksOf } from "../../../domain/chunks.ts";
import { packSettlements, unpackSettlements } from "../../../domain/mexico/postal-codes.ts";
import type { PostalEdition, PostalFacts, PostalSource } from "../../../domain/mexico/postal-codes.ts";
import type { PostalCodes, PostalList } from "../../../ports.ts";
import { isUniqueTaken, storeFault } from "../faults.ts";
import type { Transactions } from "../transactions/transact.ts";

/**
 * The list of postal codes: one row a code, its settlements packed into one text, for a look-up then reads one row. Each import is an edition
 * of its own, and a look-up asks for the current one. An edition is written and cleared in small statements, so that an app at work on the
 * same database waits for none of them.
 */

/** Rows of one statement: below any database's limit of parameters, and some ten milliseconds. */
const BATCH = 500;
/** Rows told to whoever shows progress. */
const TELL_EVERY = 5_000;

const CURRENT = { state: "current" } as const;

type Row = Omit<PostalFacts, "settlements"> & { settlements: string };

export function createPostalCodes({ root, run }: Pick<Transactions, "root" | "run">): PostalCodes {
  const guarded = async <T>(work: (client: PrismaClient) => Promise<T>): Promise<T> => {
    const client = root();
    return await work(client).catch((cause: unknown) => Promise.reject(storeFault("postal codes", cause)));
  };
  const findAll = (codes: readonly string[]): Promise<ReadonlyMap<string, PostalFacts>> =>
    guarded(async (client) => {
      const found = new Map<string, PostalFacts>();
      for (const some of chunksOf([...new Set(codes)], BATCH))
        for (const row of await client.$queryRaw<Row[]>(lookUp(some))) found.set(row.code, factsOf(row));
      return found;
    });
  const current = (client: PrismaClient) => client.postalEdition.findFirst({ where: CURRENT });
  return {
    findAll,
    find: async (code) => (await findAll([code])).get(code) ?? null,
    edition: () => guarded(async (client) => editionOf(await current(client))),
    replace: (list) =>
      guarded(async (client) => {
        await clear(client);
        const number = await begin(client, list);
        await fill(client, number, list);
        await run(null, (tables) => makeCurrent(tables, number));
        const edition = editionOf(await current(client));
        await clear(client);
        if (edition?.number !== number) throw overtaken();
        return edition;
      }),
  };
}

const lookUp = (codes: readonly string[]): Prisma.Sql => Prisma.sql`
  SELECT "entry"."code", "entry"."state", "entry"."municipality", "entry"."city", "entry"."settlements"
  FROM "PostalCode" AS "entry" JOIN "PostalEdition" AS "list" ON "list"."number" = "entry"."edition"
  WHERE "list"."state" = 'current' AND "entry"."code" IN (${Prisma.join([...codes])})`;

const factsOf = ({ settlements, ...row }: Row): PostalFacts => ({
  ...row,
  settlements: unpackSettlements(settlements),
});

function editionOf(row: EditionRow | null): PostalEdition | null {
  if (!row) return null;
  const { number, source, importedAtMs, codes, settlements } = row;
  return { number, source: source as PostalSource, importedAtMs: Number(importedAtMs), codes, settlements };
}

/**
 * Takes away what is not in use: an earlier list, and what an import left that was stopped. It is marked first, so that an import which is
 * still at it cannot make a list current that has lost rows.
 */
async function clear(client: PrismaClient): Promise<void> {
  await client.postalEdition.updateMany({ where: { state: "filling" }, data: { state: "leaving" } });
  for (const { number } of await client.postalEdition.findMany({ where: { state: "leaving" } })) {
    const left = { where: { edition: number }, select: { code: true }, take: BATCH, orderBy: { code: "asc" } } as const;
    for (let rows = await client.postalCode.findMany(left); rows.length > 0;) {
      await client.postalCode.deleteMany({ where: { edition: number, code: { lte: rows.at(-1)!.code } } });
      rows = await client.postalCode.findMany(left);
    }
    // The highest stays, empty, until there is a higher one: an import that is still at it must not find its number given to another.
    const { _max: highest } = await client.postalEdition.aggregate({ _max: { number: true } });
    if (number !== highest.number) await client.postalEdition.deleteMany({ where: { number } });
  }
}

/** A new edition's number. Numbers rise, because the edition in use has the highest of those that are there. */
async function begin(client: PrismaClient, { source, importedAtMs, codes }: PostalList): Promise<number> {
  const { _max: highest } = await client.postalEdition.aggregate({ _max: { number: true } });
  const number = (highest.number ?? 0) + 1;
  const settlements = codes.reduce((sum, facts) => sum + facts.settlements.length, 0);
  const data = {
    number,
    source,
    state: "filling",
    importedAtMs: BigInt(importedAtMs),
    codes: codes.length,
    settlements,
  };
  await client.postalEdition.create({ data }).catch((error: unknown) => {
    throw isUniqueTaken(error) ? overtaken() : error;
  });
  return number;
}

async function fill(client: PrismaClient, edition: number, { codes, onProgress }: PostalList): Promise<void> {
  let [stored, told] = [0, 0];
  for (const some of chunksOf(codes, BATCH)) {
    const inserted = await client
      .$executeRaw(insertion(edition, some))
      .catch((error: unknown) => unlessTaken(client, edition, error));
    if (inserted !== some.length) throw overtaken();
    stored += some.length;
    if (stored - told < TELL_EVERY && stored < codes.length) continue;
    told = stored;
    onProgress?.(stored);
  }
}

/**
 * Rows that were being inserted when another import took their edition away break the reference to it on PostgreSQL: the statement saw the
 * edition, and no longer finds it at its end. A third import may have begun one under that number since. Whatever failed otherwise is thrown
 * as it was.
 */
async function unlessTaken(client: PrismaClient, number: number, error: unknown): Promise<never> {
  if (isReferenceBroken(error)) throw overtaken();
  const isThere = await client.postalEdition.count({ where: { number, state: "filling" } }).catch(() => 1);
  throw isThere > 0 ? error : overtaken();
}

/** PostgreSQL's 23503, as Prisma passes it on. */
function isReferenceBroken(error: unknown): boolean {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  return meta?.driverAdapterError?.cause?.originalCode === "23503";
}

/** One statement, which inserts nothing when whoever imports now has marked this edition. Prisma's own takes three times as long. */
function insertion(edition: number, codes: readonly PostalFacts[]): Prisma.Sql {
  const rows = codes.map(
    ({ code, state, municipality, city, settlements }) =>
      Prisma.sql`(${code}, ${state}, ${municipality}, ${city}, ${packSettlements(settlements)})`,
  );
  return Prisma.sql`
    INSERT INTO "PostalCode" ("edition", "code", "state", "municipality", "city", "settlements")
    SELECT CAST(${edition} AS INTEGER), "row".* FROM (VALUES ${Prisma.join(rows)}) AS "row"
    WHERE EXISTS (SELECT 1 FROM "PostalEdition" WHERE "number" = ${edition} AND "state" = 'filling')`;
}

/** All readers see the one list or the other. */
async function makeCurrent(tables: Prisma.TransactionClient, number: number): Promise<void> {
  await tables.postalEdition.updateMany({ where: CURRENT, data: { state: "leaving" } });
  const { count } = await tables.postalEdition.updateMany({ where: { number, state: "filling" }, data: CURRENT });
  if (count !== 1) throw overtaken();
}

const overtaken = (): AppError =>
  new AppError({
    kind: "superseded",
    message: "Another import of postal codes began meanwhile; this one changed nothing.",
  });
