import type { AddressTemplate, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef } from "../ports.ts";
import { commit, reasonOf } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import type { ReadableAccount } from "../worker/shipping-account.ts";
import { awaitSecondSighting, isDoubted } from "./believe-absence.ts";
import { nextListingMs, proofOf, provedFromMs } from "./known-listings.ts";
import { forgetTemplate } from "./mark-unlisted.ts";
import { keepTemplate, readBook } from "./read-book.ts";

export interface BookSince {
  templates: TemplateRecord[];
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
  if (nextMs() <= services.clock.nowMs()) {
    await readBook(run, ref, account);
    services.wake();
  }
  const templates = await services.store.templates.list({ shop: ref.shop, connectionId: ref.id });
  if (isWhole()) return { templates, incomplete: null };
  return { templates, incomplete: { kind: "waits", untilMs: nextMs(), reason: reasonOf(run, "book_unconfirmed") } };
}

/** What a row of the book stands for; one that something said is not there is read by itself first. */
export async function lookAgain(
  run: Run,
  { ref, account, row }: { ref: ConnectionRef; account: ReadableAccount; row: TemplateRecord },
): Promise<{ template: AddressTemplate } | { end: RunEnd } | "gone"> {
  if (!isDoubted(row)) return { template: row.template };
  const { templateId } = row;
  const found = await account.get(templateId);
  if (found.kind === "found") {
    await commit(run, (tables) => keepTemplate(run.services, tables, { ref, template: found.value }));
    return { template: found.value };
  }
  const end = await awaitSecondSighting(run, { ref, templateId, requestId: found.requestId });
  if (end) return { end };
  await commit(run, (tables) => forgetTemplate(tables, { shop: ref.shop, connectionId: ref.id, templateId }));
  return "gone";
}
