import type { Transactions } from "../transactions/transact.ts";
import { runMembers, type GroupInput, type Left, type Waiting } from "./group.ts";
import type { RowsAsTable } from "./rows-as-table.ts";

/** Runs a group in a transaction like any other, when it is the turn of `line`, a shop's name. */
export async function runInTransaction(
  { run, guard }: Pick<Transactions, "run" | "guard">,
  { codec, as, line }: Pick<GroupInput, "codec"> & { as: RowsAsTable; line: string },
  group: readonly Waiting[],
): Promise<Left> {
  const { done, alone } = await run(line, (client) => {
    const statements: GroupInput["client"] = {
      read: (text, values) => client.$queryRawUnsafe(text, ...values),
      write: (text, values) => client.$executeRawUnsafe(text, ...values),
      as,
    };
    return runMembers({ client: statements, codec, guard }, group);
  });
  for (const [waiting, result] of done) waiting.resolve(result);
  return { busy: [], alone };
}
