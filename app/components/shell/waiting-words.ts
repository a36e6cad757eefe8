import type { TFunction } from "i18next";
import { FAULTS } from "../../domain/errors.ts";
import type { FaultKind } from "../../domain/errors.ts";
import type { WorkItemReason } from "../../domain/records.ts";
import { isWaitReason } from "../../domain/reason-places.ts";

/** The namespaces of the messages below. */
export const WAITING_WORDS = ["origin", "origins", "faults"] as const;

/** In a sentence or two, what a work item waits for, or what stopped it. */
export function waitingWords(t: TFunction<["origin", "origins", "faults"]>, code: WorkItemReason["code"]): string {
  if (isWaitReason(code)) return t(`origin:waiting.because.${code}`);
  const fault = FAULTS[code as FaultKind];
  if (fault) return t(`faults:${fault.messageKey}`);
  if (code === "uninstall_told" || code === "secret_unreadable") return t(`origin:waiting.because.${code}`);
  return t("origin:waiting.stopped", { reason: t(`origins:reason.${code}`) });
}
