import type { Services, Tables } from "../ports.ts";
import { changeOrigin } from "./change-origin.ts";
import { refreshOrigin } from "./refresh-origin.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

/** How long the look at the template may hold up the answer, in milliseconds; the run has its own wait after it. */
const LOOK_WITHIN_MS = 1_500;

/** "Sync now": reads the template and the location anew, whatever is known. */
export async function syncOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound> {
  const looked = await refreshOrigin(services, { shop, locationId, force: true, withinMs: LOOK_WITHIN_MS });
  return changeOrigin<never>(services, {
    shop,
    locationId,
    waitMs: services.settings.interactiveWaitMs - LOOK_WITHIN_MS,
    change: async (tables, { name }) => {
      if (looked === "unreachable") await doubtTemplate(services, tables, { shop, locationId });
      await recordActivity(services, tables, {
        shop,
        actor: "owner",
        kind: "sync_asked",
        outcome: "noted",
        locationId,
        locationName: name,
      });
      return null;
    },
  });
}

/** The answer did not come in time, and who asked may have changed the template there: the run that follows reads it by itself. */
async function doubtTemplate(
  { clock }: Pick<Services, "clock">,
  tables: Tables,
  own: { shop: string; locationId: string },
): Promise<void> {
  const connection = await tables.connections.find({ shop: own.shop, current: true });
  const link = connection && (await tables.links.find({ ...own, connectionId: connection.id }));
  if (!link) return;
  const { shop, connectionId, templateId } = link;
  // Also where it is in doubt already: an answer that was asked for before this ends an earlier doubt only.
  await tables.templates.update({ shop, connectionId, templateId }, { disputedSinceMs: clock.nowMs() });
}
