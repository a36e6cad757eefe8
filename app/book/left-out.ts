import { AppError, isAppError } from "../domain/errors.ts";
import type { AddressTemplate, TemplateRecord } from "../domain/records.ts";
import { GET_BEHIND_MS } from "../domain/plan/replaced.ts";
import type { Clock, ConnectionRef, Found, Services } from "../ports.ts";
import type { Run } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { mayBeSeenAloneSince, stillUnseenMs } from "./alone-readings.ts";
import { proofOf } from "./known-listings.ts";
import { withoutNameless } from "./same-rows.ts";

/**
 * A list may leave out templates that are there, for good: a cache keeps an old answer, or the first page is all that is shown. Its counts
 * agree with it, so only a template's own GET contradicts it. One template that is there and left out tells of the whole list.
 */

export type GetTemplate = (templateId: string) => Promise<Found<AddressTemplate>>;

/** A template that is truly gone says nothing of the others, so some more are asked for. */
const MOST_ASKED = 8;

/** A listing left out one that was there, and whose own GET agrees with it by now. Either may be behind. */
interface Doubt {
  error: AppError;
  /** Since the lists leave it out, its GET has found it each time before. One that flaps is no news each time. */
  isFirst: boolean;
}

type ToldOfLeftOut =
  | { kind: "there"; requestId: string }
  | { kind: "gone" }
  /** None is there, and one of them is not found for less than a minute, though it was there before, or made a moment ago. */
  | ({ kind: "doubted" } & Doubt)
  /** One could not be read, and none is there. `wasThere`: it was, or another one was, when it was asked for before. */
  | { kind: "failed"; error: AppError; wasThere: boolean };

/**
 * By connection, the templates that were there although the lists leave them out, for as long as this process knows of no list that shows them.
 * One GET that fails after that says nothing of them, nor does one that does not find them until a minute later another does not either: a GET
 * may be behind. `missingSinceMs`: since when they were not found, by the monotonic clock; null where they were found last.
 */
type FoundThere = Map<string, { missingSinceMs: number | null; wasMissing: boolean }>;

const foundThere = new WeakMap<Pick<Clock, "monotonicMs">, Map<string, FoundThere>>();

function foundOf(clock: Pick<Clock, "monotonicMs">, { id }: Pick<ConnectionRef, "id">, lacks: ReadonlySet<string>) {
  const books = foundThere.get(clock) ?? new Map<string, FoundThere>();
  foundThere.set(clock, books);
  const found: FoundThere = new Map([...(books.get(id) ?? [])].filter(([templateId]) => lacks.has(templateId)));
  books.delete(id);
  books.set(id, found);
  if (books.size > BOOKS) books.delete(books.keys().next().value!);
  return found;
}

/** Books of which it is remembered; the one asked about longest ago makes room. */
const BOOKS = 1_000;

/**
 * Asks for up to eight of the templates that a list leaves out, drawn at random, until one is there. What is read is not kept: the template
 * stays marked as left out, so that the next listing asks again. One that we made a moment ago may not be found yet. One that its own GET
 * shows in a way that cannot be read is there, and a row without an id of the listing may be it: as many are not left out.
 */
async function askOfLeftOut(
  { random, clock }: Pick<Services, "random" | "clock">,
  {
    rows,
    get,
    found,
    nameless = 0,
  }: { rows: readonly TemplateRecord[]; get: GetTemplate; found?: FoundThere; nameless?: number },
): Promise<ToldOfLeftOut> {
  const left = [...rows];
  let unread = 0;
  let wasThere = false;
  let doubt: AppError | null = null;
  let isFirst = false;
  let failure: AppError | null = null;
  for (let asked = 0; asked < MOST_ASKED && left.length > 0; asked += 1) {
    const [row] = left.splice(Math.floor(random.next() * left.length), 1);
    try {
      const { kind, requestId } = await get(row!.templateId);
      if (kind === "found") {
        const wasMissing = found?.get(row!.templateId)?.wasMissing === true;
        found?.set(row!.templateId, { missingSinceMs: null, wasMissing });
        return { kind: "there", requestId };
      }
      const isNews = found?.get(row!.templateId)?.wasMissing === false;
      if (stillUnseenMs(clock, row!) === 0 && noteNotFound(clock, row!, found)) continue;
      doubt = leftOut(requestId);
      isFirst ||= isNews;
    } catch (error) {
      if (!isAppError(error) || !error.traits.atService) throw error;
      if (error.kind === "unreadable" && (unread += 1) <= nameless) continue;
      wasThere ||= found?.has(row!.templateId) === true;
      failure = error;
    }
  }
  if (failure) return { kind: "failed", error: failure, wasThere: wasThere || doubt !== null };
  return doubt ? { kind: "doubted", error: doubt, isFirst } : { kind: "gone" };
}

/** Notes that its GET does not find it. Whether that is to be believed: of one that was there before, when it has been so for as long as a GET may be behind. */
function noteNotFound(clock: Pick<Clock, "monotonicMs">, { templateId }: TemplateRecord, found?: FoundThere): boolean {
  const before = found?.get(templateId);
  if (!found || !before) return true;
  const nowMs = clock.monotonicMs();
  const missingSinceMs = before.missingSinceMs ?? nowMs;
  found.set(templateId, { missingSinceMs, wasMissing: true });
  return nowMs - missingSinceMs >= GET_BEHIND_MS;
}

/**
 * Throws `unreadable` where the last listing leaves out a template that is there: it may leave out, too, what a create made, which would then
 * be made twice. Call it where a listing proves that a create made nothing, and before a create that follows one whose end nobody followed,
 * because another account came into use. A listing that holds all that is known costs no call. Where one of those that it leaves out cannot be
 * read, and none is there, that failure is thrown, until the work item has failed so often that it is taken for the template's own; always,
 * where it was there before.
 */
export async function refuseLeftOut(
  run: Run,
  { ref, account }: { ref: ConnectionRef; account: ReadableAccount },
): Promise<void> {
  const { store, clock } = run.services;
  const last = proofOf(run.services, ref)?.last;
  if (!last || last.lacks.size === 0) return;
  const templateId = { in: [...last.lacks] };
  const known = await store.templates.list({ shop: ref.shop, connectionId: ref.id, templateId, absentSinceMs: null });
  // A list may lag behind what we made a moment ago. One that shows nothing at all is asked about all the same.
  const rows = last.ids.size === 0 ? known : known.filter((row) => stillUnseenMs(clock, row) === 0);
  if (rows.some((row) => mayBeSeenAloneSince(clock, row, last.endedMs))) throw leftOut(null);
  const found = foundOf(clock, ref, last.lacks);
  const told = await askOfLeftOut(run.services, {
    rows,
    get: (id) => account.get(id),
    found,
    nameless: last.nameless,
  });
  if (told.kind === "failed" && (told.wasThere || run.item.failures < OWN_FAILURES)) throw told.error;
  if (told.kind === "doubted") throw told.error;
  if (told.kind === "there") throw leftOut(told.requestId);
}

/** Where one of the templates that are to be forgotten cannot be read: the failure is thrown, they stay, or the listings are believed. */
export type OnFailure = "throw" | "keep" | "believe";

/** Whether the templates that listings prove to be absent may be forgotten. With a doubt nothing is to be kept of the listing. */
interface MayForget {
  forgets: boolean;
  doubt: Doubt | null;
}

/**
 * Asks for templates that listings prove to be absent: what stands for no location is asked for by nobody else.
 *
 * @throws AppError `unreadable` where one of them is there: what such a list shows may be old.
 */
export async function mayForget(
  { store, random, clock }: Pick<Services, "store" | "random" | "clock">,
  {
    ref,
    rows,
    lacks,
    get,
    onFailure,
  }: {
    ref: ConnectionRef;
    rows: readonly TemplateRecord[];
    /** All that the listing lacks. */
    lacks: ReadonlySet<string>;
    get: GetTemplate;
    onFailure: OnFailure;
  },
): Promise<MayForget> {
  if (rows.length === 0) return { forgets: true, doubt: null };
  const key = { shop: ref.shop, connectionId: ref.id };
  const links = await store.links.list({ ...key, templateId: { in: rows.map((row) => row.templateId) } });
  const linked = new Set(links.map(({ templateId }) => templateId));
  const { bookUnreadable = [] } = (await store.connections.find({ id: ref.id })) ?? {};
  const forgotten = withoutNameless(rows, bookUnreadable).filter((row) => !linked.has(row.templateId));
  const found = foundOf(clock, ref, lacks);
  const told = await askOfLeftOut({ random, clock }, { rows: forgotten, get, found });
  if (told.kind === "there") throw leftOut(told.requestId);
  if (told.kind === "gone") return { forgets: true, doubt: null };
  if (onFailure === "keep") return { forgets: false, doubt: null };
  if (told.kind === "doubted") return { forgets: false, doubt: told };
  // Of one that was there before, a GET that fails says nothing.
  if (told.wasThere || onFailure === "throw") throw told.error;
  return { forgets: true, doubt: null };
}

/**
 * So often its own GET fails before what a list leaves out is taken for gone, and a create that may have made something for one that made
 * nothing. By the waits between, that is after some four minutes: a network may break one kind of call for a while and not the others.
 */
const OWN_FAILURES = 7;

/** A work item that failed so often is not kept from its work by a template that cannot be read. */
export function onFailureOf({ item }: Pick<Run, "item">): OnFailure {
  return item.failures < OWN_FAILURES ? "throw" : "believe";
}

function leftOut(requestId: string | null): AppError {
  const message = "list: the address book leaves out templates that are there";
  return new AppError({ kind: "unreadable", message, requestId, effect: "none", operation: "list" });
}
