import { FAULTS } from "../../domain/errors.ts";
import type { FaultKind } from "../../domain/errors.ts";
import { isWaitReason } from "../../domain/reason-places.ts";
import type { OriginView } from "../../views/origin.ts";
import type { ShopHealth } from "../../views/shell.ts";
import type { OriginAnswer } from "./origin-intent.ts";

/**
 * What needs a person on an origin's page, in the order in which it comes first. Only the first is shown: of two banners beside each other
 * neither is read, and what is below it has to wait for it anyway.
 */
export const ORIGIN_NOTICES = [
  "elsewhere",
  "taken",
  "excluded",
  "paused",
  "missing",
  "unreadable",
  "refusal",
  "carrierRefusal",
  "lapsed",
  "fails",
  "waiting",
] as const;

export type OriginNotice = (typeof ORIGIN_NOTICES)[number];

type Seen = Pick<
  OriginView,
  | "exclusion"
  | "paused"
  | "missingSinceMs"
  | "unreadable"
  | "refusal"
  | "state"
  | "splitLapsed"
  | "failure"
  | "held"
  | "reasonCode"
>;

/** @param told what the banner above every page says, which is said once. */
export function originNotice(
  view: Seen,
  { answer, told }: { answer: OriginAnswer["kind"] | null; told: ShopHealth | null },
): OriginNotice | null {
  const fails = view.failure !== null && view.state !== "waiting" && !isWaitReason(view.failure.code);
  const isToldAbove = isOfConnection(told, view);
  const holds: Record<OriginNotice, boolean> = {
    elsewhere: answer === "stale" || answer === "moved" || answer === "changed_since",
    taken: answer === "taken" || answer === "already_linked",
    excluded: view.exclusion !== null,
    paused: view.paused,
    missing: view.missingSinceMs !== null,
    unreadable: view.unreadable !== null,
    refusal: view.refusal !== null,
    carrierRefusal: view.state === "refused_by_carrier",
    lapsed: view.splitLapsed && view.state === "incomplete",
    fails: fails && !isToldAbove,
    waiting: (view.held || view.state === "waiting") && !fails && !isToldAbove,
  };
  return ORIGIN_NOTICES.find((notice) => holds[notice]) ?? null;
}

function isOfConnection(told: ShopHealth | null, { failure, reasonCode }: Seen): boolean {
  if (told !== "failing") return told !== null;
  const code = failure?.code ?? reasonCode;
  return code === null || FAULTS[code as FaultKind]?.atService === true;
}
