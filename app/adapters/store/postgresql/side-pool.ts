import pg from "pg";
import { connectionConfig } from "./connection.ts";

/** For statements that are short, frequent and the same for all; through Prisma each would cost several times as much. */
const MOST = 3;

/** Connections beside Prisma's. Their statements have no names, so that a pooler may hand out another session for each. */
export function createSidePool(url: string, most = MOST): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(url), max: most, allowExitOnIdle: true });
  // An idle connection that is cut is replaced when one is needed.
  pool.on("error", () => undefined);
  return pool;
}
