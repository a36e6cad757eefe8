import { chunksOf } from "../domain/chunks.ts";
import type { Services, Tables } from "../ports.ts";
import { changeDetails } from "./change-details.ts";
import { requestWork } from "../runs/request-work.ts";

/** How many one transaction changes, so that nobody waits for the database longer than a page should. */
const CHUNK = 15;

/**
 * Pauses or resumes a few origins; those of another shop, and those that are so already, are passed over. Says which changed.
 * What changed meanwhile is caught up on resuming. Many are a job (`jobs/start-job.ts`).
 */
export async function pauseOrigin(
  services: Services,
  { shop, locationIds, paused }: { shop: string; locationIds: string[]; paused: boolean },
): Promise<string[]> {
  const changed: string[] = [];
  for (const some of chunksOf(locationIds, CHUNK))
    changed.push(
      ...(await services.store.transaction(shop, (tables) =>
        setPaused(services, tables, { shop, locationIds: some, paused }),
      )),
    );
  if (changed.length > 0) services.wake();
  return changed;
}

/** The same in the caller's transaction, of a few at a time. */
export async function setPaused(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { shop, locationIds, paused }: { shop: string; locationIds: string[]; paused: boolean },
): Promise<string[]> {
  const wanted = { shop, locationId: { in: locationIds } };
  const detailsOf = new Map((await tables.details.list(wanted)).map((row) => [row.locationId, row]));
  const changed: string[] = [];
  for (const location of await tables.locations.list(wanted)) {
    const { locationId } = location;
    if ((detailsOf.get(locationId)?.paused ?? false) === paused) continue;
    await changeDetails(services, tables, { location, patch: { paused }, kind: paused ? "paused" : "resumed" });
    await requestWork(services, tables, { shop, kind: "location", key: locationId });
    changed.push(locationId);
  }
  return changed;
}
