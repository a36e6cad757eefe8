import type { JobItemRecord, JobRecord, LocationRecord } from "../domain/records.ts";
import type { SkipReason } from "../domain/plan/skip-reason.ts";
import type { Services, Tables, Transaction } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { setPaused } from "../origins/pause-origin.ts";
import { requestWork } from "../runs/request-work.ts";
import { wantCarriers } from "../verification/request-verification.ts";
import { confirmRow, ROWS_AT_ONCE } from "./confirm-row.ts";

/** How many items one transaction asks for at most, so that nobody waits for the database longer than a page should. */
export const ITEMS_AT_ONCE = 15;

/** The same for one job: each carrier is a row to ask about. */
export function itemsAtOnce({ kind, carriers }: JobRecord): number {
  if (kind === "import") return ROWS_AT_ONCE;
  if (kind !== "verify") return ITEMS_AT_ONCE;
  return Math.max(1, Math.floor(ITEMS_AT_ONCE / (1 + carriers.length / 2)));
}

/**
 * Does for some of a job's items what the job is to do for each: requests its work, or pauses it. Those that were cancelled since they
 * were listed are passed over. In the caller's transaction, of at most `itemsAtOnce`.
 */
export async function askItems(
  services: Services,
  tables: Transaction,
  { job, items }: { job: JobRecord; items: readonly Pick<JobItemRecord, "locationId">[] },
): Promise<void> {
  const { id: jobId, shop, kind } = job;
  const locationId = { in: items.map((item) => item.locationId) };
  const waiting = await tables.jobItems.list({ jobId, shop, locationId, state: "waiting", workItemId: null });
  if (kind === "sync") for (const item of waiting) await askForSync(services, tables, item);
  else if (kind === "verify") await askForVerification(services, tables, { job, items: waiting });
  else if (kind === "import") for (const item of waiting) await writeStated(services, tables, item);
  else await pauseOrResume(services, tables, { items: waiting, paused: kind === "pause" });
}

async function askForSync(services: Services, tables: Tables, item: JobItemRecord): Promise<void> {
  const { jobId, shop, locationId } = item;
  const { workItemId, generation } = await requestWork(services, tables, { shop, kind: "location", key: locationId });
  await tables.jobItems.update({ jobId, shop, locationId }, { workItemId, since: generation - 1, generation });
}

/** As Review confirms a row. One that somebody changed since it was shown is not written. */
async function writeStated(services: Services, tables: Transaction, item: JobItemRecord): Promise<void> {
  const { jobId, shop, locationId, stated } = item;
  const row = stated && { ...stated, templateId: null, templateVersion: null };
  const ended = row ? await confirmRow(services, tables, { shop, row }) : { refusal: { kind: "interrupted" } };
  const key = { jobId, shop, locationId };
  if ("asked" in ended) {
    await tables.jobItems.update(key, { ...ended.asked, stated: null });
    return;
  }
  const detail = ended.refusal.kind;
  await tables.jobItems.update(key, { state: "failed", detail, stated: null });
  const location = await tables.locations.find({ shop, locationId });
  const noted = { actor: "owner", kind: "import_refused", outcome: "failed", detail } as const;
  await recordActivity(services, tables, { shop, locationId, locationName: location?.name ?? null, ...noted });
}

async function askForVerification(
  services: Services,
  tables: Tables,
  { job: { id: jobId, shop, carriers }, items }: { job: JobRecord; items: JobItemRecord[] },
): Promise<void> {
  const connection = await tables.connections.find({ shop, current: true });
  const locationIds = { in: items.map(({ locationId }) => locationId) };
  const key = { shop, locationId: locationIds, missingSinceMs: null };
  const links = connection ? await tables.links.list({ ...key, connectionId: connection.id }) : [];
  const templateOf = new Map(links.map(({ locationId, templateId }) => [locationId, templateId]));
  for (const item of items) {
    const { locationId } = item;
    const templateId = templateOf.get(locationId);
    if (templateId === undefined) {
      const location = await tables.locations.find({ shop, locationId });
      await skipVerification(services, tables, { item, location });
      continue;
    }
    const { workItemId, generation, isOwn } = await wantCarriers(services, tables, { shop, templateId, carriers });
    const since = isOwn ? generation - 1 : generation;
    await tables.jobItems.update({ jobId, shop, locationId }, { workItemId, since, generation });
  }
}

/** No carrier can be asked about a location that has no template. */
export async function skipVerification(
  services: Services,
  tables: Tables,
  { item, location }: { item: JobItemRecord; location: Pick<LocationRecord, "name"> | null },
): Promise<void> {
  const detail = "no_template" satisfies SkipReason;
  const { jobId, shop, locationId } = item;
  const skipped = { ...item, state: "skipped", detail } as const;
  if ((await tables.jobItems.update({ jobId, shop, locationId }, skipped)) === 0) await tables.jobItems.insert(skipped);
  const noted = { actor: "owner", kind: "verify_skipped", outcome: "noted", detail } as const;
  await recordActivity(services, tables, { shop, locationId, locationName: location?.name ?? null, ...noted });
}

/** Nothing is sent for it, so an item is done at once. */
async function pauseOrResume(
  services: Services,
  tables: Tables,
  { items, paused }: { items: JobItemRecord[]; paused: boolean },
): Promise<void> {
  if (items.length === 0) return;
  const { shop, jobId } = items[0]!;
  const locationIds = items.map(({ locationId }) => locationId);
  await setPaused(services, tables, { shop, locationIds, paused });
  await tables.jobItems.update({ jobId, shop, locationId: { in: locationIds } }, { state: "done" });
}
