import { isDoubted } from "../domain/doubted.ts";
import { isAppError } from "../domain/errors.ts";
import type { AppError } from "../domain/errors.ts";
import type { TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef } from "../ports.ts";
import { commit, reasonOf, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { awaitSecondSighting } from "./confirm-absence.ts";
import { nextListingMs, proofOf, provedFromMs } from "./known-listings.ts";
import { refuseLeftOut } from "./left-out.ts";
import { forgetMissing } from "./mark-unlisted.ts";
import { keepReading } from "./keep-template.ts";
import { readBook } from "./read-book.ts";

export interface BookSince {
  /** What is known of the book, where it could not be read too. */
  templates: TemplateRecord[];
  /** Why it could not be read; thrown by whoever finds nothing in what is known. */
  failed: AppError | null;
  /** Null when nothing is missing that was there at the time asked for; else how a run ends that must not miss anything. */
  incomplete: RunEnd | null;
}

/**
 * The book, for who looks for what took effect by `sinceMs`, a time of day. What is found may be used at once. That something is not
 * there is known only by two listings that began after that time, whoever made them; where one was made a moment ago, no other is.
 */
export async function readBookSince(
  run: Run,
  { ref, account, sinceMs }: { ref: ConnectionRef; account: ReadableAccount; sinceMs: number },
): Promise<BookSince> {
  const { services } = run;
  const isWhole = () => (provedFromMs(services, proofOf(services, ref)) ?? -Infinity) >= sinceMs;
  const nextMs = () => nextListingMs(services, proofOf(services, ref));
  const failed = nextMs() <= services.clock.nowMs() ? await tryToRead(run, { ref, account }) : null;
  const templates = await services.store.templates.list({ shop: ref.shop, connectionId: ref.id });
  const isProved = isWhole() && !isOlderThanAll(services, { ref, templates });
  if (failed || isProved) return { templates, failed, incomplete: null };
  const incomplete = { kind: "waits", untilMs: nextMs(), reason: reasonOf(run, "book_unconfirmed") } as const;
  return { templates, failed, incomplete };
}

/**
 * Before a create that follows one whose end nobody followed, because another account came into use: how the run ends where what that one made
 * may not be seen yet, else null. Another process may have listed the book; only this one's listings tell what they leave out.
 *
 * @throws AppError what the list met; what `refuseLeftOut` throws.
 */
export async function refuseCreate(
  run: Run,
  at: { ref: ConnectionRef; account: ReadableAccount },
): Promise<RunEnd | null> {
  const { failed, incomplete } = await readBookSince(run, { ...at, sinceMs: 0 });
  if (failed) throw failed;
  if (incomplete) return incomplete;
  await refuseLeftOut(run, at);
  return null;
}

/**
 * Whether the last listing is empty, and all that is known was made or shown since. An empty list may be a broken one; what is known by now
 * tells that of the next listing, which holds it or leaves it out (`left-out.ts`).
 */
function isOlderThanAll(
  services: Run["services"],
  { ref, templates }: { ref: ConnectionRef; templates: readonly TemplateRecord[] },
): boolean {
  const last = proofOf(services, ref)?.last;
  if (!last || last.ids.size > 0) return false;
  return templates.some(({ templateId, absentSinceMs }) => absentSinceMs === null && !last.lacks.has(templateId));
}

async function tryToRead(
  run: Run,
  { ref, account }: { ref: ConnectionRef; account: ReadableAccount },
): Promise<AppError | null> {
  try {
    await readBook(run, ref, account);
  } catch (error) {
    if (isAppError(error) && error.traits.atService) return error;
    throw error;
  }
  run.services.wake();
  // It takes two listings to know that a create made nothing, and a run that waits between them reads one of the two.
  run.listCalls *= 2;
  return null;
}

/** What a row of the book stands for; one that something said is not there, or that no list tells, is read by itself first. */
export async function lookAgain(
  run: Run,
  {
    ref,
    account,
    row,
    failed,
  }: { ref: ConnectionRef; account: ReadableAccount; row: TemplateRecord } & Pick<BookSince, "failed">,
): Promise<{ row: TemplateRecord } | { end: RunEnd } | "gone"> {
  if (!failed && !isDoubted(row)) return { row };
  const { templateId } = row;
  const found = await account.get(templateId);
  if (found.kind === "found") {
    const kept = await commit(run, (tables) =>
      keepReading(run.services, tables, { ref, template: found.value, known: row }),
    );
    if (!kept) throw superseded("the template was read or written meanwhile");
    return { row: kept };
  }
  const end = await awaitSecondSighting(run, { ref, templateId, requestId: found.requestId });
  if (end) return { end };
  await commit(run, (tables) => forgetMissing(tables, { shop: ref.shop, connectionId: ref.id, templateId }));
  return "gone";
}
