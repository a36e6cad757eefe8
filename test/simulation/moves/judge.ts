import { valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { StoredChange } from "../../fakes/memory-store.ts";
import { connectionOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import { isHeldUp } from "../oracle/unserved.ts";

/** Holds moving days to what was meant: each passes over once, and at its hour; and whoever has moved is asked nothing. */

/** Objections to lines of activity as they are written. */
export interface MovesWatch {
  committed(change: StoredChange): string | null;
}

export function createMovesWatch({ accounts, known }: Pick<Stage, "accounts" | "known">): MovesWatch {
  /** By coming template. */
  const moved = new Set<string>();
  return {
    committed({ table, before, after }) {
      if (table !== "activity" || before || !after?.templateId) return null;
      const { kind, templateId, shop, locationId } = after;
      const isSecond = moved.has(`${shop} ${templateId}`);
      if (kind === "moved") {
        moved.add(`${shop} ${templateId}`);
        // What stands in it then is the location's own word from then on, whoever wrote it, and lapses with the place.
        for (const { templates } of accounts.all) {
          const template = templates.get(templateId);
          for (const [field, value] of template ? Object.entries(valuesOfTemplate(template)) : [])
            known.allowed.add(`${templateId} ${field} ${value}`);
        }
      }
      if (!isSecond || !(kind === "moved" || kind.startsWith("move_asks_"))) return null;
      return `${locationId} has moved to ${templateId}, and that is done again (${kind})`;
    },
  };
}

/** How long after the hour a process may look at it, once the weather is over. */
const PASSES_WITHIN_MS = 5 * 60_000;
/**
 * A process whose clock is wrong for good passes nothing over by an hour; what it writes is due so far ahead by the true time. A clock may jump
 * a day ahead several times.
 */
const WRONG_FROM_MS = 50 * 60_000;
const WRONG_TO_MS = 5 * 24 * 3_600_000;

/** Whether the hour of a move is still to come, or may be late for a reason. */
export function awaitsMove({ database, known, scenery, nowMs }: Stage): boolean {
  for (const { state, marker } of database.rows("moves")) {
    const atMs = state === "coming" ? known.movesAtMs.get(marker) : undefined;
    if (atMs !== undefined && nowMs() < Math.max(atMs, scenery.weather.endsAtMs) + PASSES_WITHIN_MS) return true;
  }
  return false;
}

/**
 * Moves that are forgotten: the hour is past, and the move neither passed nor asks its owner anything, nor has a run to come. A process that
 * takes the date for another one comes each minute.
 */
export function forgottenMoves(stage: Stage, shop: string): string[] {
  const { database, known, scenery } = stage;
  const nowMs = stage.nowMs();
  const connection = connectionOf(stage, shop);
  if (connection?.state !== "active" || known.away.has(shop)) return [];
  const words: string[] = [];
  for (const move of database.rows("moves")) {
    if (move.shop !== shop || move.state !== "coming" || move.asks !== null || move.refusal !== null) continue;
    // Whoever was asked at the hour presses once it may.
    if (move.connectionId !== connection.id || move.hour === null) continue;
    const atMs = known.movesAtMs.get(move.marker);
    if (atMs === undefined || nowMs < Math.max(atMs, scenery.weather.endsAtMs) + PASSES_WITHIN_MS) continue;
    const item = [...database.rows("workItems")].find(
      (row) => row.shop === shop && row.kind === "move" && row.key === move.locationId,
    );
    const comesSoon = item !== undefined && item.state === "active" && item.dueAtMs <= nowMs + PASSES_WITHIN_MS;
    const aheadMs = (item?.dueAtMs ?? 0) - nowMs;
    if (aheadMs > WRONG_FROM_MS && aheadMs < WRONG_TO_MS) continue;
    if (item && (comesSoon || item.state !== "active" || isHeldUp(stage, item))) continue;
    words.push(`${move.locationId} was to move at ${atMs}, and that is forgotten (due at ${item?.dueAtMs})`);
  }
  return words;
}
