import { chunksOf } from "../domain/chunks.ts";
import type { JobItemRecord, JobRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { readJob } from "./read-job.ts";
import { raiseTarget } from "./raise-target.ts";
import { recordActivity } from "./record-activity.ts";
import { requestVerification } from "./request-verification.ts";

export type JobStart =
  | { kind: "started"; jobId: string; count: number; skipped: number }
  /** One at a time: this one still runs. */
  | { kind: "busy"; jobId: string }
  /** None of the locations can do this now. */
  | { kind: "nothing"; skipped: number };

export interface JobRequest {
  shop: string;
  kind: JobRecord["kind"];
  /** Of a verification; null asks the shop's own. */
  carriers: string[] | null;
  locationIds: string[];
  /** Of a sync: what the account holds is read anew as well. */
  lookThere?: boolean;
}

/** Items a transaction: others wait no longer than a page should. */
const CHUNK = 50;

/**
 * Starts the sync or the verification of many origins. Each becomes a target's generation and a row, so the job goes on when the
 * page is left and after a restart. Locations of another shop, and for a verification those without a template, are skipped.
 */
export async function startJob(services: Services, request: JobRequest): Promise<JobStart> {
  const { shop, kind } = request;
  const { store, clock, random } = services;
  const carriers = request.carriers ?? (await store.shops.find({ shop }))?.policies.carriers ?? [];
  const running = await store.jobs.find({ shop, state: "running" });
  // Reading settles it: one that ended while nobody looked is in nobody's way.
  const latest = running && (await readJob(services, { shop, jobId: running.id }));
  if (latest?.state === "running") return { kind: "busy", jobId: latest.id };
  const able = await ableTo(services, request);
  const skipped = request.locationIds.length - able.length;
  if (able.length === 0 || (kind === "verify" && carriers.length === 0)) return { kind: "nothing", skipped };
  const job: JobRecord = {
    id: random.id(),
    shop,
    kind,
    carriers,
    state: "running",
    createdAtMs: clock.nowMs(),
    endedAtMs: null,
  };
  const faster = await store.transaction(async (tables) => {
    const other = await tables.jobs.find({ shop, state: "running" });
    if (other) return other;
    await tables.jobs.insert(job);
    for (const { locationId } of able) await tables.jobItems.insert(waitingItem(job, locationId));
    const detail = String(able.length);
    await recordActivity(services, tables, { shop, actor: "owner", kind: `job_${kind}`, outcome: "noted", detail });
    return null;
  });
  if (faster) return { kind: "busy", jobId: faster.id };
  for (const chunk of chunksOf(able, CHUNK)) {
    if (kind === "sync") await raiseAll(services, job, chunk);
    else await verifyAll(services, job, chunk);
  }
  if (request.lookThere) await lookThere(services, shop);
  services.wake();
  return { kind: "started", jobId: job.id, count: able.length, skipped };
}

/** The reconcile reads the whole book in a few pages, where each origin's own run would take a call a template. */
async function lookThere(services: Services, shop: string): Promise<void> {
  await services.store.transaction((tables) => raiseTarget(services, tables, { shop, kind: "reconcile", key: "shop" }));
}

interface Able {
  locationId: string;
  templateId: string | null;
}

async function ableTo({ store }: Services, { shop, kind, locationIds }: JobRequest): Promise<Able[]> {
  const wanted = { shop, locationId: { in: [...new Set(locationIds)] } };
  const locations = await store.locations.list({ ...wanted, deletedAtMs: null });
  if (kind === "sync") return locations.map(({ locationId }) => ({ locationId, templateId: null }));
  const connection = await store.connections.find({ shop, current: true });
  const links = connection
    ? await store.links.list({ ...wanted, connectionId: connection.id, missingSinceMs: null })
    : [];
  return links.map(({ locationId, templateId }) => ({ locationId, templateId }));
}

/** `generation` 0 with no target: not asked yet. */
function waitingItem({ id, shop }: JobRecord, locationId: string): JobItemRecord {
  return { jobId: id, shop, locationId, targetId: null, generation: 0, state: "waiting", detail: null };
}

async function raiseAll(services: Services, { id: jobId, shop }: JobRecord, chunk: Able[]): Promise<void> {
  await services.store.transaction(async (tables) => {
    for (const { locationId } of chunk) {
      const raised = await raiseTarget(services, tables, { shop, kind: "location", key: locationId });
      await tables.jobItems.update({ jobId, locationId, state: "waiting" }, raised);
    }
  });
}

async function verifyAll(services: Services, { id: jobId, shop, carriers }: JobRecord, chunk: Able[]): Promise<void> {
  for (const { locationId, templateId } of chunk) {
    const raised = await requestVerification(services, { shop, templateId: templateId!, carriers });
    await services.store.jobItems.update({ jobId, locationId, state: "waiting" }, raised);
  }
}
