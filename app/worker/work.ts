import { followTold } from "../shop/act-on-told.ts";
import { confirmUninstall } from "../shop/confirm-uninstall.ts";
import { followMove } from "../moves/follow-move.ts";
import { followVerification } from "../verification/follow-verification.ts";
import { reconcileShop } from "../sync/reconcile-shop.ts";
import { redactShop } from "../shop/redact-shop.ts";
import { tellFlow } from "../triggers/give-events.ts";
import type { WorkByKind } from "../runs/run-work-item.ts";
import { runJob } from "../jobs/run-job.ts";
import { syncDraft } from "../by-hand/sync-draft.ts";
import { syncLocation } from "../sync/sync-location.ts";

/** What a run does, by kind of work item. A new kind is a new line here. */
export const WORK: WorkByKind = {
  location: syncLocation,
  template: syncDraft,
  verification: followVerification,
  reconcile: reconcileShop,
  job: runJob,
  uninstall: confirmUninstall,
  redact: redactShop,
  told: followTold,
  move: followMove,
  flow: tellFlow,
};
