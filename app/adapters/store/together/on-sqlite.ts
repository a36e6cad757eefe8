import type { Transactions } from "../transactions/transact.ts";
import { runMembers, type GroupInput, type Groups } from "./group.ts";
import { JSON_ROWS } from "./rows-as-table.ts";

/** No shop has this name: groups have their turns among the shops, as a shop has. SQLite runs one transaction at a time. */
const LINE = "";
/** No round trips, and nobody else's groups. */
const APART_MS = 5;

/** Groups of small works, each a transaction like any other. */
export function groupsOnSqlite(
  { run, guard }: Pick<Transactions, "run" | "guard">,
  codec: GroupInput["codec"],
): Groups {
  const runGroup: Groups["runGroup"] = async (group) => {
    const { done, alone } = await run(LINE, (client) => {
      const statements: GroupInput["client"] = {
        read: (text, values) => client.$queryRawUnsafe(text, ...values),
        write: (text, values) => client.$executeRawUnsafe(text, ...values),
        as: JSON_ROWS,
      };
      return runMembers({ client: statements, codec, guard }, group);
    });
    for (const [waiting, result] of done) waiting.resolve(result);
    return { busy: [], alone };
  };
  return { apartMs: APART_MS, runGroup };
}
