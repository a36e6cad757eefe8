import type { Prisma, PrismaClient } from "@prisma/client";
import type { Engine, Row, Runner } from "./statement.ts";

/** SQLite, through Prisma's mended adapter (`libsql.ts`). It has one writer, so one transaction runs at a time. */
export function createSqliteEngine(prisma: PrismaClient): Engine {
  return {
    root: runnerOf(prisma),
    transaction: (_shop, work) => prisma.$transaction((client) => work(runnerOf(client))),
    most: 1,
  };
}

function runnerOf(client: PrismaClient | Prisma.TransactionClient): Runner {
  return {
    rows: ({ text, values }) => client.$queryRawUnsafe<Row[]>(text, ...values),
    write: ({ text, values }) => client.$executeRawUnsafe(text, ...values),
  };
}
