import { AppError } from "../domain/errors.ts";
import type { ConnectionRef } from "../ports.ts";
import { commit, reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { readableAccount } from "../runs/shipping-account.ts";
import { refuseUnreadable } from "./await-book.ts";
import { noteAbsent } from "./believe-absence.ts";
import { proofOf } from "./known-listings.ts";
import { readBook } from "./read-book.ts";

/**
 * What a template's own GET says is not enough to believe that it is gone. A router that has lost the service behind it answers 404 to
 * everything, and a service may lose one template's own page for good. In both cases the template is there, and one more would be made.
 */

/**
 * After a GET's 404 in a run, which asked when it began or later: null when the absence is believed; else how the run ends. It is believed
 * after two sightings and a listing that lacks the template, and that began so long after the first that it does not lag behind it. Where there
 * is none yet, this run reads the book; while the book cannot be read, it waits.
 *
 * @throws AppError what the list met; `unexpected_status` where the list shows the template.
 */
export async function awaitSecondSighting(
  run: Run,
  { ref, templateId, requestId }: { ref: ConnectionRef; templateId: string; requestId: string | null },
): Promise<RunEnd | null> {
  const { shop, id: connectionId } = ref;
  const askedAtMs = run.began.monotonicMs;
  const { believed, firstMs, untilMs } = await commit(run, (tables) =>
    noteAbsent(run.services, tables, { shop, connectionId, templateId, askedAtMs }),
  );
  if (!believed) return { kind: "waits", untilMs, reason: reasonOf(run, "absence_unconfirmed", { requestId }) };
  const last = proofOf(run.services, ref)?.last;
  const isCurrent = last !== undefined && last.startedMs >= firstMs + run.services.settings.listingsApartMs;
  const unreadable = isCurrent ? null : await refuseUnreadable(run);
  if (unreadable) return unreadable;
  if (!(isCurrent ? last.ids.has(templateId) : await isListedNow(run, { ref, templateId }))) return null;
  const message = "get: the service does not find a template that its list shows";
  throw new AppError({ kind: "unexpected_status", status: 404, message, requestId, effect: "none" });
}

async function isListedNow(
  run: Run,
  { ref, templateId }: { ref: ConnectionRef; templateId: string },
): Promise<boolean> {
  const { templates, unreadable } = await readBook(run, ref, readableAccount(run, ref), { missed: templateId });
  run.services.wake();
  return [...templates, ...unreadable].some(({ id }) => id === templateId);
}
