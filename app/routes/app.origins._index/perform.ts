import type { OriginsAnswer, OriginsIntent } from "../../components/origins/origins-intent.ts";
import type { Services } from "../../ports.ts";
import { isLocation } from "../../origins/is-location.ts";
import { pauseOrigin } from "../../origins/pause-origin.ts";
import { findOriginIds } from "../../pages/read-origins.ts";
import { bytesOfJob, FEW, startJob } from "../../jobs/start-job.ts";

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
  spend(bytesOfJob(locationIds.length));
  const started = await startJob(services, {
    shop,
    kind: intent,
    carriers: null,
    locationIds,
    lookThere: intent === "sync",
  });
  return started.kind === "started" ? { kind: "started", count: started.count } : { kind: started.kind };
}
