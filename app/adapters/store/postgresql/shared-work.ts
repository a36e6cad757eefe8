import type pg from "pg";
import type { WorkItem } from "../../../domain/records.ts";
import { NEVER_MS } from "../../../domain/backoff.ts";
import type { SharedWork } from "../../../ports.ts";
import { storeFault } from "../faults.ts";
import { fromRow } from "../row.ts";
import type { TableSpec } from "../table-spec.ts";
import { TABLE_SPECS } from "../table-specs.ts";
import type { Unreadable } from "../unreadable.ts";
import type { Keyring } from "../encryption.ts";
import type { Bell } from "./bell.ts";

type Row = Record<string, unknown>;

const GO_ON = `UPDATE "Chore" SET "begunAtMs" = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  WHERE "name" = $1 AND "begunAtMs" = $2 RETURNING "begunAtMs"::text AS "begunAtMs"`;

const SPEC = TABLE_SPECS.workItems as unknown as TableSpec;

/** The line of shops with work, which all processes on the database claim from; the migrations hold its functions. */
export function createSharedWork(input: {
  pool: Pick<pg.Pool, "query">;
  bell: Bell;
  codec: { keyring: Keyring; unreadable: Unreadable };
}): SharedWork {
  const { pool, bell, codec } = input;
  let latestFirst = false;
  const ask = async (text: string, values: unknown[]): Promise<Row[]> => {
    try {
      return (await pool.query<Row>(text, values)).rows;
    } catch (cause) {
      throw storeFault("the line of work", cause);
    }
  };
  const itemOf = (row: Row): WorkItem => {
    const fields = Object.keys(SPEC.fields).map((field) => [field, row[SPEC.columns?.[field] ?? field]]);
    return fromRow({ spec: SPEC, ...codec }, Object.fromEntries(fields) as Row) as unknown as WorkItem;
  };
  /** When it was begun, which tells its holder from a later one; null when this process is not to do it. */
  const take = async (chore: string, everyMs: number): Promise<string | null> => {
    const [row] = await ask('SELECT take_chore($1, $2)::text AS "begunAtMs"', [chore, everyMs]);
    return row!.begunAtMs as string | null;
  };
  return {
    async claim({ owner, nowMs, leaseMs, room }) {
      // Where there is room for one, those that came last and those that have waited longest take turns.
      latestFirst = !latestFirst;
      const rows = await ask("SELECT * FROM claim_work($1, $2, $3, $4, $5)", [
        owner,
        nowMs,
        leaseMs,
        room,
        latestFirst,
      ]);
      return rows.map(itemOf);
    },
    async nextDueAtMs() {
      const [row] = await ask('SELECT min("dueAtMs")::float8 AS "dueAtMs" FROM "ShopWork"', []);
      const dueAtMs = row?.dueAtMs as number | null;
      return dueAtMs === null || dueAtMs >= NEVER_MS ? null : dueAtMs;
    },
    async mend(untilMs) {
      const [row] = await ask('SELECT mend_line($1)::int AS "found"', [untilMs]);
      return row!.found as number;
    },
    ring: () => bell.ring(),
    onRing: (call) => bell.onRing(call),
    isOurs: async (chore, everyMs) => (await take(chore, everyMs)) !== null,
    async begin(chore, everyMs) {
      let begunAtMs = await take(chore, everyMs);
      if (begunAtMs === null) return null;
      return {
        async over() {
          await ask('DELETE FROM "Chore" WHERE "name" = $1 AND "begunAtMs" = $2', [chore, begunAtMs]);
        },
        async goesOn() {
          const [row] = await ask(GO_ON, [chore, begunAtMs]);
          begunAtMs = (row?.begunAtMs as string | undefined) ?? begunAtMs;
          return row !== undefined;
        },
      };
    },
    async wasBegun(chore, withinMs) {
      // As in `begin_chore`: a time that is a minute ahead was written by a clock set back since.
      const sql = `SELECT FROM "Chore" WHERE "name" = $1 AND "begunAtMs" > extract(epoch FROM clock_timestamp()) * 1000 - $2
        AND "begunAtMs" <= extract(epoch FROM clock_timestamp()) * 1000 + 60000`;
      return (await ask(sql, [chore, withinMs])).length > 0;
    },
  };
}
