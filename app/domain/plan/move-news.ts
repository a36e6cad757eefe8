import type { ComposedOrigin, HeldPlace } from "../address/address.ts";
import { closedReason } from "../closed-reason.ts";
import type { ConnectionRecord, MoveRecord } from "../records.ts";
import { hourMs } from "../zone-days.ts";

/** What there is to say of a location that moves: one sentence, the same on every page. */
export type MoveCode =
  | "elsewhere"
  | "missing"
  | "refused"
  | "taken"
  | "no_origin"
  | "stuck"
  | "on_hold"
  | "making"
  | "planned"
  | "due"
  | "by_hand"
  | "held";

export interface MoveNews {
  code: MoveCode;
  /** When the location moves, where that is set. */
  atMs: number | null;
}

interface MoveFacts {
  move: MoveRecord | null;
  details: { held: HeldPlace | null } | null;
  composed: Pick<ComposedOrigin, "problems">;
  connection: Pick<ConnectionRecord, "id" | "state" | "clientSecret"> | null;
  timeZone: string;
  nowMs: number;
}

/** Null where the location does not move, or has moved and Shopify shows so. */
export function moveNews({ move, details, composed, connection, timeZone, nowMs }: MoveFacts): MoveNews | null {
  const says = (code: MoveCode, atMs: number | null = null): MoveNews => ({ code, atMs });
  if (composed.problems.some(({ code }) => code === "moved_elsewhere")) return says("elsewhere");
  if (move?.state === "coming") {
    // Over another account, or one that lets nobody in, nothing of it can be decided, and no hour is kept.
    if (move.connectionId !== connection?.id || closedReason(connection) !== null) return says("on_hold");
    // What it was asked before, and the day, are answered by the press, which waits for the service.
    if (move.press !== null) return says("due");
    if (move.asks !== null) return says(move.asks);
    if (move.refusal !== null) return says("stuck");
    const atMs = move.hour === null ? null : hourMs(move.hour, timeZone);
    if (move.templateId === null) return says("making", atMs);
    if (atMs === null) return says("by_hand");
    return atMs <= nowMs ? says("due") : says("planned", atMs);
  }
  return details?.held ? says("held") : null;
}

const OWNERS: readonly MoveCode[] = ["elsewhere", "missing", "refused", "taken", "no_origin", "stuck"];

/** Whether only the owner can go on with it. */
export function isOwnersMove({ code }: MoveNews): boolean {
  return OWNERS.includes(code);
}
