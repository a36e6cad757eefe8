import { exclusionOf } from "../../../app/domain/origin-state.ts";
import type { OriginState } from "../../../app/domain/origin-state.ts";
import type { LocationRecord } from "../../../app/domain/records.ts";
import type { JobView } from "../../../app/views/job.ts";
import type { Stage } from "../people/stage.ts";
import type { Pages } from "../story/pages.ts";
import type { AnswersWatch } from "./answers.ts";
import { outOfStep } from "./in-step.ts";

/** Everything that the pages call ready or done and that is not. */
export async function falseWordsOf(
  stage: Stage,
  { pages, service }: { pages: Pages; service: AnswersWatch },
): Promise<string[]> {
  const words: string[] = [];
  for (const { shop, uninstalledAtMs } of [...stage.database.rows("shops")]) {
    if (uninstalledAtMs !== null || stage.known.away.has(shop)) continue;
    words.push(...(await falseOrigins(stage, { pages, service, shop })));
    words.push(...(await falseJobs(stage, { pages, shop })));
  }
  return words;
}

/** States in which the origin must be in step with the account; also where a carrier has not said yes or no yet, or not at all. */
const IN_STEP: readonly OriginState[] = ["ready", "verifying", "unverified"];

async function falseOrigins(
  stage: Stage,
  { pages, service, shop }: { pages: Pages; service: AnswersWatch; shop: string },
): Promise<string[]> {
  const [home, list] = [await pages.home(shop), await pages.origins(shop)];
  if (!home || !list) return [];
  const why = new Map<string, string>();
  for (const location of originsOf(stage, shop)) {
    const reason = outOfStep(stage, location, service);
    if (reason) why.set(location.locationId, reason);
  }
  const words = list.rows.flatMap(({ locationId, state }) =>
    IN_STEP.includes(state) && why.has(locationId) ? [`${locationId} is ${state}, and ${why.get(locationId)}`] : [],
  );
  if (home.origins.ready > home.origins.total - why.size)
    words.push(
      `Home says that ${home.origins.ready} are ready, and ${[...why].map((each) => each.join(" ")).join(", ")}`,
    );
  return words;
}

function originsOf({ database }: Stage, shop: string): LocationRecord[] {
  const record = [...database.rows("shops")].find((row) => row.shop === shop)!;
  const details = new Map(
    [...database.rows("details")].filter((row) => row.shop === shop).map((row) => [row.locationId, row]),
  );
  return [...database.rows("locations")].filter(
    (location) =>
      location.shop === shop &&
      exclusionOf({ location, details: details.get(location.locationId) ?? null, policies: record.policies }) === null,
  );
}

async function falseJobs(stage: Stage, { pages, shop }: { pages: Pages; shop: string }): Promise<string[]> {
  const words: string[] = [];
  for (const { id } of [...stage.database.rows("jobs")].filter((row) => row.shop === shop)) {
    const view = await pages.job(shop, id);
    const undone = view && undoneOf(stage, view);
    if (undone) words.push(`the job ${id} says that it is ${view.state} with ${view.done} done, and ${undone}`);
  }
  return words;
}

/** Judged by what the job's items asked for and how far their work items have come. */
function undoneOf({ database }: Stage, { id, state, done, waiting }: JobView): string | null {
  const workItems = new Map([...database.rows("workItems")].map((row) => [row.id, row]));
  let ahead = 0;
  let reached = 0;
  for (const item of database.rows("jobItems")) {
    if (item.jobId !== id) continue;
    const workItem = workItems.get(item.workItemId ?? "");
    // A work item is gone only together with its shop or template.
    if (!workItem || workItem.observedGeneration >= item.generation) reached += 1;
    else if (item.state !== "failed" && item.state !== "cancelled" && workItem.state === "active") ahead += 1;
  }
  if (state === "done" && (waiting > 0 || ahead > 0)) return `${Math.max(waiting, ahead)} have not ended`;
  return done > reached ? `only ${reached} came so far` : null;
}
