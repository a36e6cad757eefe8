import { AppError } from "../domain/errors.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { askItems, itemsAtOnce } from "./ask-items.ts";

/**
 * Does what a job of many origins asks for, some at a time, each in a transaction of its own: whoever else wants the database has it in
 * between. What a process left that died goes on where it was.
 */
export async function runJob(run: Run): Promise<RunEnd> {
  const { services, item, signal } = run;
  const { shop, key: jobId } = item;
  const { store } = services;
  let last = "";
  for (;;) {
    const job = await store.jobs.find({ id: jobId, shop, state: "running" });
    const unasked = { jobId, shop, state: "waiting", workItemId: null, locationId: { gt: last } } as const;
    const items = job
      ? await store.jobItems.list(unasked, { orderBy: { locationId: "asc" }, limit: itemsAtOnce(job) })
      : [];
    // Nothing is left to tell of it: it goes, unless the press that stores the items has requested it again.
    if (!job || items.length === 0)
      return {
        kind: "done",
        alongside: async (tables) => void (await tables.workItems.delete({ id: item.id, generation: item.generation })),
      };
    if (signal.aborted) throw new AppError({ kind: "cancelled", message: "the process stops in the middle of a job" });
    await commit(run, async (tables) => {
      if ((await tables.jobs.count({ id: jobId, shop, state: "running" })) > 0)
        await askItems(services, tables, { job, items });
    });
    last = items.at(-1)!.locationId;
    services.wake();
  }
}
