import type { Transactions } from "../transactions/transact.ts";
import type { GroupInput, Groups } from "./group.ts";
import { runInTransaction } from "./in-transaction.ts";
import { ON_SQLITE } from "./rows-as-table.ts";

/** No shop has this name: groups have their turns among the shops, as a shop has. SQLite runs one transaction at a time. */
const LINE = "";
/** No round trips, and nobody else's groups. */
const APART_MS = 5;

/** Groups of small works, each a transaction like any other. */
export function groupsOnSqlite(transactions: Pick<Transactions, "run" | "guard">, codec: GroupInput["codec"]): Groups {
  const given = { codec, as: ON_SQLITE };
  return {
    apartMs: APART_MS,
    runGroup: (group) => runInTransaction(transactions, { ...given, line: LINE }, group),
    runOfShop: (shop, group) => runInTransaction(transactions, { ...given, line: shop }, group),
  };
}
