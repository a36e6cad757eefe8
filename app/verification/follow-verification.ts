import { isYoung } from "../domain/moment.ts";
import { closedReason } from "../domain/closed-reason.ts";
import { isDoubted } from "../domain/doubted.ts";
import type { VerificationRecord } from "../domain/records.ts";
import { LIST_BEHIND_MS } from "../domain/verification/poll-result.ts";
import { isFollowed } from "../domain/verification/verification.ts";
import { failsByItself } from "../runs/blame.ts";
import { passGate, refOf } from "../runs/circuit-breaker.ts";
import { blocked, commit, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { readableAccount } from "../runs/shipping-account.ts";
import { askForVerification } from "./ask-for-verification.ts";
import type { Followed } from "./ask-for-verification.ts";
import { unreadableRow } from "../book/hidden-create.ts";
import { awaitSecondSighting } from "../book/believe-absence.ts";
import { bookFailure } from "../book/await-book.ts";
import { requestMoved } from "./request-moved.ts";
import { requestWork } from "../runs/request-work.ts";
import { forgetMissing } from "../book/mark-unlisted.ts";
import { isOvertaken, keepTemplate, readBook } from "../book/read-book.ts";

/** The baseline of a question is a reading no older than this. */
const BASELINE_AGE_MS = 60_000;
/** Polls due within this are taken together. */
const TOGETHER_MS = 5_000;
/** Polls that a list is about to answer are left alone this long. */
const LISTING_MS = 60_000;

const PAGE_SIZE = 20;

/** Of one template in a run, where something overtook each answer. */
const MOST_READINGS = 3;

/** Asks the carriers that are wanted, then looks at growing intervals until each has answered or seven days have passed. */
export async function followVerification(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const [connectionId, templateId] = splitKey(item.key);
  const connection = await services.store.connections.find({ id: connectionId, shop: item.shop, current: true });
  if (!connection) return { kind: "done" };
  const records = () => services.store.verifications.list({ shop: item.shop, connectionId, templateId });
  if (!hasWork(await records(), services.clock.nowMs())) return { kind: "done", againAtMs: nextLook(await records()) };
  const closed = closedReason(connection);
  if (closed) return blocked(run, closed);
  const rests = await passGate(run, connection);
  if (rests) return rests;
  const ref = refOf(connection);
  const followed: Followed = { ref, account: readableAccount(run, ref), templateId };
  const wanted = (await records()).filter(({ question }) => question === "wanted").map(({ carrier }) => carrier);
  if (wanted.length > 0) {
    const there = (await isKnownFresh(run, followed)) || (await look(run, followed));
    if (!there) return templateGone(run, followed);
    await askForVerification(run, followed, wanted);
  }
  if (hasWork(await records(), services.clock.nowMs()) && !(await lookCheaply(run, followed)))
    return templateGone(run, followed);
  return { kind: "done", againAtMs: nextLook(await records()) };
}

function splitKey(key: string): [string, string] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}

function hasWork(records: VerificationRecord[], nowMs: number): boolean {
  return records.some((record) => record.question === "wanted" || isDue(record, nowMs));
}

function isDue(record: VerificationRecord, nowMs: number): boolean {
  return isFollowed(record) && record.nextPollAtMs! <= nowMs;
}

function nextLook(records: VerificationRecord[]): number | null {
  const times = records.filter(isFollowed).map(({ nextPollAtMs }) => nextPollAtMs!);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Read alone: a list may be behind what the account says. */
async function isKnownFresh({ services }: Run, { ref, templateId }: Followed): Promise<boolean> {
  const { store, clock } = services;
  const known = await store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  if (!known || isDoubted(known) || known.aloneAtMs === null) return false;
  return isYoung(clock, known.aloneAtMs, BASELINE_AGE_MS);
}

/**
 * False when it was not found. An answer that another reading or a write of the location's overtook is not kept; the template is read
 * again at once. A list that came meanwhile may have told what the carriers say, and the next run would not look.
 */
async function look(run: Run, { ref, account, templateId }: Followed): Promise<boolean> {
  const { services } = run;
  for (let count = 0; count < MOST_READINGS; count += 1) {
    const known = await services.store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
    const found = await account.get(templateId);
    if (found.kind === "not_found") return false;
    const read = { ref, template: found.value };
    const isKept = await commit(run, async (tables) => {
      if (await isOvertaken(tables, { ref, templateId, known })) return false;
      await keepTemplate(services, tables, read);
      await requestMoved(services, tables, read);
      return true;
    });
    services.wake();
    if (isKept) return true;
  }
  throw superseded("the template was read or written meanwhile");
}

/**
 * Where more templates are due than the book has pages, one list answers for them all; one that cannot be read, for none. False when
 * it was not found.
 */
async function lookCheaply(run: Run, followed: Followed): Promise<boolean> {
  const { ref, account } = followed;
  if (failsByItself(run.item) || (await bookFailure(run.services.store, ref.shop))) return look(run, followed);
  const key = { shop: ref.shop, connectionId: ref.id };
  const nowMs = run.services.clock.nowMs();
  const answered = { ...key, question: "asked" as const, askedAtMs: { lte: nowMs - LIST_BEHIND_MS } };
  const due = { ...answered, nextPollAtMs: { lte: nowMs + TOGETHER_MS } };
  const listing = await commit(run, async (tables) => {
    const templates = new Set((await tables.verifications.list(due)).map((record) => record.templateId));
    // What was asked a moment ago no list answers, for it may be behind.
    if (!templates.has(followed.templateId)) return false;
    const pages = Math.ceil((await tables.templates.count(key)) / PAGE_SIZE);
    if (templates.size <= pages) return false;
    await tables.verifications.update(due, { nextPollAtMs: nowMs + LISTING_MS });
    return true;
  });
  if (!listing) return look(run, followed);
  const book = await readBook(run, ref, account);
  const hidden = book.unreadable.find(({ id }) => id === followed.templateId);
  if (hidden) throw unreadableRow(hidden);
  // A list may miss it; only its own GET says that it is not there.
  return book.templates.some(({ id }) => id === followed.templateId) || look(run, followed);
}

/** Once it is believed gone, nothing is left to verify; whoever links it shall find out. */
async function templateGone(run: Run, { ref, templateId }: Followed): Promise<RunEnd> {
  const waits = await awaitSecondSighting(run, { ref, templateId, requestId: null });
  if (waits) return waits;
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  await commit(run, async (tables) => {
    await forgetMissing(tables, key);
    const link = await tables.links.find(key);
    if (link) await requestWork(run.services, tables, { shop: ref.shop, kind: "location", key: link.locationId });
  });
  run.services.wake();
  return { kind: "done" };
}
