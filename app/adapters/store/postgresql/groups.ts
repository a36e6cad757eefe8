import type pg from "pg";
import { runMembers, type GroupInput, type Groups } from "../together/group.ts";
import { runInTransaction } from "../together/in-transaction.ts";
import { ON_POSTGRES } from "../together/rows-as-table.ts";
import type { Transactions } from "../transactions/transact.ts";
import { OURS } from "./lock.ts";
import { EVERY_SHOP } from "./turns.ts";

/** The third lock of ours: groups of all processes come one after another, and so never meet each other's shops. */
const GROUPS = 3;
/** A process that stands still in its group holds up no other's for longer; then they run shop by shop. */
const LOCK_TIMEOUT_MS = 1_000;

/** All processes' groups share the server, and each takes as many statements whatever its size. */
const APART_MS = 20;

const BEGIN = `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS};
  SELECT pg_advisory_xact_lock(${OURS}, ${GROUPS}), pg_advisory_xact_lock_shared(${OURS}, ${EVERY_SHOP})`;
const TAKE_TURNS =
  'SELECT "shop" FROM unnest($1::text[]) AS "shop" WHERE pg_try_advisory_xact_lock(hashtextextended("shop", 0))';

const ignore = (): void => undefined;

/** Groups of small works, each a transaction on one of the pool's connections. A group never waits for a shop's turn. */
export function groupsOnPostgres(
  pool: Pick<pg.Pool, "connect">,
  { codec, transactions }: Pick<GroupInput, "codec"> & { transactions: Pick<Transactions, "run" | "guard"> },
): Groups {
  const runGroup: Groups["runGroup"] = async (group) => {
    const client = await pool.connect();
    const giveBack = (isBroken: boolean) => {
      client.release(isBroken);
      client.off("error", ignore);
    };
    // Cut between two statements it says so by an event alone.
    client.on("error", ignore);
    try {
      await client.query(BEGIN);
      const shops = [...new Set(group.map(({ shop }) => shop))];
      const { rows } = await client.query<{ shop: string }>(TAKE_TURNS, [shops]);
      const free = new Set(rows.map(({ shop }) => shop));
      const statements: GroupInput["client"] = {
        read: async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows,
        write: async (text, values) => (await client.query(text, values)).rowCount ?? 0,
        as: ON_POSTGRES,
      };
      const members = group.filter(({ shop }) => free.has(shop));
      const { done, alone } = await runMembers({ client: statements, codec, guard: transactions.guard }, members);
      await client.query("COMMIT");
      giveBack(false);
      for (const [waiting, result] of done) waiting.resolve(result);
      return { busy: group.filter(({ shop }) => !free.has(shop)), alone };
    } catch (error) {
      giveBack(true);
      throw error;
    }
  };
  return {
    apartMs: APART_MS,
    runGroup,
    runOfShop: (shop, group) => runInTransaction(transactions, { codec, as: ON_POSTGRES, line: shop }, group),
  };
}
