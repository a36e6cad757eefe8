import type { FieldView, OriginView } from "../../views/origin.ts";

/** What an origin's page says of its address in the account as a whole. Keys of `origin:address`. Pure. */

type Seen = Pick<
  OriginView,
  | "fields"
  | "differences"
  | "pending"
  | "unreadable"
  | "connection"
  | "paused"
  | "state"
  | "splitLapsed"
  | "confirmed"
  | "isPlaceHeld"
>;

/** Something is to be chosen or was not saved, or a run has to look first. */
const OPEN: readonly OriginView["state"][] = [
  "changing",
  "conflict",
  "missing_there",
  "refused_by_service",
  "drift",
  "parked",
  "waiting",
];

/**
 * That nothing is to be saved, and why, or that the template goes; null where something is to be saved or chosen, or where nobody can say.
 * While the account is closed to us only what it had is known.
 */
export function accountNote(
  view: Pick<Seen, "fields" | "differences" | "pending" | "unreadable" | "connection" | "state" | "isPlaceHeld">,
): "left" | "goes" | "same" | "sameAsUsed" | "sameButKept" | "sameWhenRead" | null {
  const fates = new Set(view.fields.map(({ fate }) => fate));
  if (fates.has("left")) return "left";
  if (fates.has("deleted")) return "goes";
  if (fates.has("written") || fates.has("undecided")) return null;
  if (view.pending || view.differences.length > 0 || view.unreadable !== null) return null;
  if (view.connection === null || view.connection.closed !== null) return "sameWhenRead";
  if (OPEN.includes(view.state)) return null;
  if (fates.has("kept")) return "sameButKept";
  return view.isPlaceHeld ? "sameAsUsed" : "same";
}

/** Whether the template is to go with its location: the owner's rule says so, and the run that deletes it comes by itself. */
export function isToGo({
  fields,
  template,
  missingSinceMs,
}: Pick<OriginView, "fields" | "template" | "missingSinceMs">) {
  return template !== null && missingSinceMs === null && fields.some(({ fate }) => fate === "deleted");
}

/** When what differs is saved. */
export function nextHeading(view: Pick<Seen, "fields" | "paused" | "state" | "splitLapsed" | "confirmed">) {
  const { paused, state, splitLapsed, confirmed, fields } = view;
  const lacks = fields.some(({ problem, severity }) => severity === "error" && problem !== "unconfirmed");
  const asks = !confirmed || splitLapsed || lacks;
  if (state === "paused" && paused) return asks ? "nextConfirmPaused" : "nextPaused";
  if (state === "paused") return asks ? "nextConfirmSyncOff" : "nextSyncOff";
  if (state === "to_review") return "nextConfirm";
  if (state === "incomplete") return splitLapsed && !lacks ? "nextConfirm" : "nextIncomplete";
  return state === "refused_by_service" ? "nextCorrected" : "next";
}

/** Whether the owner can choose now which version of a field stays: the page shows both above. */
export function isChosenAbove(
  { field }: Pick<FieldView, "field">,
  { differences }: Pick<Seen, "differences">,
): boolean {
  return differences.some((one) => one.field === field);
}
