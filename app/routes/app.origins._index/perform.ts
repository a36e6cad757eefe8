import type { OriginsAnswer, OriginsIntent } from "../../components/origins/origins-intent.ts";
import type { Services } from "../../ports.ts";
import { isLocation } from "../../origins/is-location.ts";
import { pauseOrigin } from "../../origins/pause-origin.ts";
import { findOriginIds } from "../../pages/read-origins.ts";
import { FEW, startJob } from "../../jobs/start-job.ts";

/** What a job keeps of one origin: its row, and the line of *Activity* that tells what was done. */
const BYTES_A_ROW = 600;

/**
 * The commands of the list, one call each; null when the shop has none of the locations that were named. A few origins are paused before the
 * press is answered; many are a job.
 */
export async function perform(
  services: Services,
  { shop, asked, spend }: { shop: string; asked: OriginsIntent; spend: (bytes: number) => void },
): Promise<OriginsAnswer | null> {
  const { intent, query } = asked;
  const locationIds =
    asked.locationIds === "filter" ? await findOriginIds(services, { shop, query }) : asked.locationIds;
  if (asked.locationIds !== "filter" && !(await isLocation(services, { shop, locationIds }))) return null;
  if ((intent === "pause" || intent === "resume") && locationIds.length <= FEW) {
    const changed = await pauseOrigin(services, { shop, locationIds, paused: intent === "pause" });
    return { kind: intent === "pause" ? "paused" : "resumed", count: changed.length, changed };
  }
  if (locationIds.length > FEW) spend(locationIds.length * BYTES_A_ROW);
  const started = await startJob(services, {
    shop,
    kind: intent,
    carriers: null,
    locationIds,
    lookThere: intent === "sync",
  });
  return started.kind === "started" ? { kind: "started", count: started.count } : { kind: started.kind };
}
