import { fitOf } from "../domain/plan/create-fit.ts";
import type { PendingWrite, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { isKnownMade, sentWithin } from "../runs/known-made.ts";
import { quarantineEndsMs } from "../runs/quarantine.ts";

/**
 * Whose a template is that an unclear create by hand may have made. At most one form is told of a template. A template's id is unique in
 * an environment, so forms are asked whatever client id they were sent over, and whichever shop of the account sent them.
 */

type Claimed = Pick<Tables, "connections" | "links" | "drafts" | "pendingWrites">;

/**
 * `isShared`: another unclear create may as well have made it. `untilMs`: another create that may have made it may be answered, or take
 * effect, until then.
 */
export type Claim =
  { kind: "free"; isShared: boolean } | { kind: "another's" } | { kind: "undecided"; untilMs: number };

/** A create that is answered in time has ended by then. */
const ANSWERED_WITHIN_MS = 20_000;

/**
 * Whether a form may be told that its unclear create may have made a template. Asked again in the transaction that tells it: whatever
 * made the template has either ended by then, and says so, or its pending write is there.
 */
export async function claimOn(
  services: Pick<Services, "clock" | "settings">,
  tables: Claimed,
  { ref, row, pendingWrite }: { ref: ConnectionRef; row: TemplateRecord; pendingWrite: PendingWrite },
): Promise<Claim> {
  const { environment } = ref;
  const { templateId, template } = row;
  if (await isKnownMade(tables, { environment, templateId })) return { kind: "another's" };
  const nowMs = services.clock.nowMs();
  const fit = fitOf(template, pendingWrite.payload ?? {});
  let untilMs = 0;
  let fitsAnother = false;
  let isShared = false;
  for (const other of await otherCreates(tables, { environment, pendingWrite })) {
    const itsFit = other.alike.includes(templateId) ? 0 : fitOf(template, other.payload ?? {});
    const endsMs = quarantineEndsMs(services, other);
    if (itsFit > 0 && endsMs > nowMs) untilMs = Math.max(untilMs, askedAgainMs(other, { nowMs, endsMs }));
    fitsAnother ||= itsFit > fit;
    isShared ||= itsFit === fit;
  }
  if (untilMs > nowMs) return { kind: "undecided", untilMs };
  return fitsAnother ? { kind: "another's" } : { kind: "free", isShared };
}

function askedAgainMs({ committedAtMs }: PendingWrite, { nowMs, endsMs }: { nowMs: number; endsMs: number }): number {
  const answeredMs = committedAtMs + ANSWERED_WITHIN_MS;
  return answeredMs > nowMs ? Math.min(answeredMs, endsMs) : endsMs;
}

async function otherCreates(
  tables: Pick<Tables, "connections" | "pendingWrites">,
  { environment, pendingWrite }: { environment: ConnectionRef["environment"]; pendingWrite: PendingWrite },
): Promise<PendingWrite[]> {
  const creates = await tables.pendingWrites.list({ id: { not: pendingWrite.id }, operation: "create" });
  return sentWithin(tables, { environment, sent: creates });
}
