import type { Services, Tables } from "../ports.ts";
import { changeOrigin } from "./change-origin.ts";
import { refreshOrigin } from "./refresh-origin.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { WorkRequest } from "../runs/request-work.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

/** How long the look at the template may hold up the answer, in milliseconds; the run has its own wait after it. */
const LOOK_WITHIN_MS = 1_500;

/** However often it is pressed, what fails by itself is tried so long after it failed last, in milliseconds. */
const FAILING_APART_MS = 15_000;

/**
 * "Sync now": reads the template and the location anew, whatever is known. Where the origin fails by itself, a press tries it once: at once, or
 * so long after its last failure that many presses hold up no other origin.
 */
export async function syncOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound> {
  const { rests } = await restOf(services, services.store, { shop, locationId });
  const looked = rests
    ? "unreachable"
    : await refreshOrigin(services, { shop, locationId, force: true, withinMs: LOOK_WITHIN_MS });
  return changeOrigin<never>(services, {
    shop,
    locationId,
    when: async (tables) => (await restOf(services, tables, { shop, locationId })).request,
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

/** Whether an origin that fails by itself is being tried, or was a moment ago; and how its run is requested. */
async function restOf(
  { clock }: Pick<Services, "clock">,
  { workItems }: Pick<Tables, "workItems">,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<{ rests: boolean; request: Pick<WorkRequest, "dueAtMs" | "unchanged"> }> {
  const item = await workItems.find({ shop, kind: "location", key: locationId });
  if (!item || item.failures === 0 || !item.reason) return { rests: false, request: {} };
  const nowMs = clock.nowMs();
  const isUnderWay = item.leaseUntilMs !== null && item.leaseUntilMs > nowMs;
  const restedMs = item.reason.atMs + FAILING_APART_MS;
  // A failure that lies ahead was dated by another clock.
  const isJustNow = item.reason.atMs <= nowMs && restedMs > nowMs;
  return { rests: isUnderWay || isJustNow, request: { unchanged: true, dueAtMs: isJustNow ? restedMs : nowMs } };
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
