import { confirmUninstall } from "../use-cases/confirm-uninstall.ts";
import { followVerification } from "../use-cases/follow-verification.ts";
import { reconcileShop } from "../use-cases/reconcile-shop.ts";
import { redactShop } from "../use-cases/redact-shop.ts";
import type { WorkByKind } from "../use-cases/run-target.ts";
import { syncDraft } from "../use-cases/sync-draft.ts";
import { syncLocation } from "../use-cases/sync-location.ts";

/** Everything that runs do. A new kind of target is a new line here. */
export const WORK: WorkByKind = {
  location: syncLocation,
  template: syncDraft,
  verification: followVerification,
  reconcile: reconcileShop,
  uninstall: confirmUninstall,
  redact: redactShop,
};
