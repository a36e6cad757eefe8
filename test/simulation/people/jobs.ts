import { SPLIT_FIELDS } from "../../../app/domain/address/form-fields.ts";
import type { ConfirmedSplit } from "../../../app/domain/address/address.ts";
import { cancelJob } from "../../../app/jobs/cancel-job.ts";
import { confirmReview } from "../../../app/jobs/confirm-review.ts";
import { readReview } from "../../../app/pages/read-review.ts";
import { startJob } from "../../../app/jobs/start-job.ts";
import { noteCancelled } from "../oracle/cancelled.ts";
import type { ReviewRowView } from "../../../app/views/review.ts";
import type { Action, Stage } from "./stage.ts";

/** What a shop's owner does with many origins at once. */

const CANCELS_WITHIN_MS = 3_000;

/** Confirms every row that Review shows, as it shows it. */
export const review: Action = async (stage, { shop }) => {
  const services = stage.visit();
  const view = services && (await readReview(services, { shop }));
  if (!services || !view || view.rows.length === 0) return false;
  const { contact, contactRevision } = view;
  const outcome = await confirmReview(services, { shop, contact, contactRevision, rows: view.rows.map(rowOf) });
  if (outcome.kind !== "confirmed") return false;
  if (outcome.jobId !== null) maybeCancel(stage, { shop, jobId: outcome.jobId });
  return outcome.count > 0;
};

function rowOf({ locationId, revision, readFrom, ownContact, cells }: ReviewRowView) {
  const value = (field: string) => (cells as Record<string, { value: string }>)[field]?.value || null;
  const split = Object.fromEntries(SPLIT_FIELDS.map((field) => [field, value(field)])) as ConfirmedSplit["values"];
  return {
    locationId,
    revision,
    readFrom,
    contact: ownContact,
    split,
    templateId: "create" as const,
    templateVersion: null,
  };
}

export const syncAll: Action = (stage, { shop }) => start(stage, { shop, kind: "sync" });

export const verifyAll: Action = (stage, { shop }) => start(stage, { shop, kind: "verify" });

async function start(stage: Stage, { shop, kind }: { shop: string; kind: "sync" | "verify" }): Promise<boolean> {
  const services = stage.visit();
  const scene = stage.scenery.shops.find((each) => each.shop === shop);
  if (!services || !scene) return false;
  const { locationIds } = scene;
  const lookThere = kind === "sync" && stage.random.chance(0.5);
  const started = await startJob(services, { shop, kind, carriers: null, locationIds, lookThere });
  if (started.kind !== "started") return false;
  maybeCancel(stage, { shop, jobId: started.jobId });
  return true;
}

function maybeCancel(stage: Stage, { shop, jobId }: { shop: string; jobId: string }): void {
  const { random, after, visit, tally, timeline, database, known } = stage;
  if (!random.chance(0.5)) return;
  after(random.between(0, CANCELS_WITHIN_MS), () => {
    const services = visit();
    if (!services) return;
    known.cancelling.add(jobId);
    cancelJob(services, { shop, jobId }).then(
      (answer) => {
        known.cancelling.delete(jobId);
        if (answer !== "cancelled") return;
        tally.count("act: cancelJob");
        timeline.tell("owner", () => `cancels the job ${jobId} of ${shop}`);
        noteCancelled({ database, known }, jobId);
      },
      () => void known.cancelling.delete(jobId),
    );
  });
}
