import { isAppError } from "../../domain/errors.ts";
import type { Series } from "./series.ts";

/** An entry of a table of work as `worker/work.ts` has it, as far as this looks. */
type Perform = (run: unknown) => Promise<{ kind: string }>;

/** The same table, with each run's end and time told by its kind. What a run threw is its end by the fault's kind. */
export function watchRuns<W extends object>(work: W, { runs }: Series): W {
  const watched = (Object.entries(work) as [string, Perform][]).map(([kind, perform]): [string, Perform] => [
    kind,
    async (run) => {
      const end = runs.startTimer({ kind });
      try {
        const ended = await perform(run);
        end({ end: ended.kind });
        return ended;
      } catch (error) {
        end({ end: isAppError(error) ? error.kind : "defect" });
        throw error;
      }
    },
  ]);
  return Object.fromEntries(watched) as W;
}
