import { isYoung } from "../domain/moment.ts";
import { closedReason } from "../domain/closed-reason.ts";
import { isDoubted } from "../domain/doubted.ts";
import { idsOfVerification } from "../domain/verification/verification-key.ts";
import type { VerificationRecord } from "../domain/records.ts";
import { LIST_BEHIND_MS } from "../domain/verification/poll-result.ts";
import { hidesWord, isFollowed, isUnclear, MOST_SENDINGS } from "../domain/verification/verification.ts";
import { failsByItself } from "../runs/blame.ts";
import { passGate, refOf } from "../runs/circuit-breaker.ts";
import { blocked, commit, reasonOf, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { pagesOf, readableAccount } from "../runs/shipping-account.ts";
import { askForVerification, endUnclear } from "./ask-for-verification.ts";
import type { Followed } from "./ask-for-verification.ts";
import { isToBeWritten } from "./is-to-be-written.ts";
import { unreadableRow } from "../book/hidden-create.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { readBookFailure } from "../book/await-book.ts";
import { requestMoved } from "./request-moved.ts";
import { requestWork } from "../runs/request-work.ts";
import { forgetMissing } from "../book/mark-unlisted.ts";
import { keepReading } from "../book/keep-template.ts";
import { readBook } from "../book/read-book.ts";

/** How old the reading may be that gives a question its baseline. */
const BASELINE_AGE_MS = 60_000;
/** Polls that are due within this time are done together. */
const TOGETHER_MS = 5_000;
/** How long polls that a list is about to answer are put off. */
const LISTING_MS = 60_000;

/** How soon to look whether an emptied address is whole again: as long after as it has been asked for, within these bounds. */
const WHOLE_MS = 5_000;
const WHOLE_LONGEST_MS = 60_000;

/** How often one run reads a template whose readings were all overtaken. */
const MOST_READINGS = 3;

/** Asks the wanted carriers, then polls at growing intervals until each has answered or seven days have passed. */
export async function followVerification(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { connectionId, templateId } = idsOfVerification(item.key);
  const connection = await services.store.connections.find({ id: connectionId, shop: item.shop, current: true });
  if (!connection) return { kind: "done" };
  const records = () => services.store.verifications.list({ shop: item.shop, connectionId, templateId });
  const before = await records();
  if (!hasWork(before, services.clock.nowMs())) return { kind: "done", againAtMs: nextLook(before) };
  const closed = closedReason(connection);
  if (closed) return blocked(run, closed);
  const rests = await passGate(run, connection);
  if (rests) return rests;
  const ref = refOf(connection);
  const followed: Followed = { ref, account: readableAccount(run, ref), templateId };
  const questions = (await records()).filter(isWanted);
  const wanted = questions.map(({ carrier }) => carrier);
  let waits = wanted.length > 0 ? await awaitWhole(run, followed) : null;
  if (wanted.length > 0 && !waits) {
    const there = (await isKnownFresh(run, { followed, questions })) || (await look(run, followed));
    if (!there) return templateGone(run, followed);
    waits = await awaitWhole(run, followed);
    if (!waits) await ask(run, followed, wanted);
  }
  // Answers to other questions come although this one waits.
  const isWork = waits ? isAnyDue : hasWork;
  if (isWork(await records(), services.clock.nowMs()) && !(await lookCheaply(run, followed)))
    return templateGone(run, followed);
  const againAtMs = nextLook(await records());
  if (waits) return { ...waits, untilMs: Math.min(waits.untilMs, againAtMs ?? Infinity) };
  return { kind: "done", againAtMs };
}

/** Asks those of the carriers whom the reading of the template does not show to have been asked. */
async function ask(run: Run, followed: Followed, carriers: string[]): Promise<void> {
  const { ref, templateId } = followed;
  const key = { shop: ref.shop, connectionId: ref.id, templateId, carrier: { in: carriers } };
  const left = await run.services.store.verifications.list({ ...key, question: "wanted" });
  const [ended, open] = [left.filter(wasSentOften), left.filter((record) => !wasSentOften(record))];
  if (ended.length > 0) await endUnclear(run, followed, carriersOf(ended));
  if (open.length > 0) await askForVerification(run, followed, carriersOf(open));
}

function wasSentOften({ polls }: VerificationRecord): boolean {
  return polls >= MOST_SENDINGS;
}

function carriersOf(records: VerificationRecord[]): string[] {
  return records.map(({ carrier }) => carrier);
}

function isAnyDue(records: VerificationRecord[], nowMs: number): boolean {
  return records.some((record) => isDue(record, nowMs));
}

function hasWork(records: VerificationRecord[], nowMs: number): boolean {
  return records.some((record) => isWanted(record) || isDue(record, nowMs));
}

function isWanted({ question }: VerificationRecord): boolean {
  return question === "wanted";
}

function isDue(record: VerificationRecord, nowMs: number): boolean {
  return isFollowed(record) && record.nextPollAtMs! <= nowMs;
}

function nextLook(records: VerificationRecord[]): number | null {
  const times = records.filter(isFollowed).map(({ nextPollAtMs }) => nextPollAtMs!);
  return times.length > 0 ? Math.min(...times) : null;
}

type Waits = Extract<RunEnd, { kind: "waits" }>;

/**
 * Waits while the address is emptied in part and a write is to put it back: nobody is asked about what is left, and a verdict on the whole
 * address stands. That write is read anyway: nothing is read for this. Null where the address is whole, or nobody is to write there: the
 * carriers are asked about what stands there then. A question that may have been asked is about what was left: its answer is none to this one.
 */
async function awaitWhole(run: Run, { ref, templateId }: Followed): Promise<Waits | null> {
  const { store, clock } = run.services;
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  const known = await store.templates.find(key);
  if (!known || known.emptied === null || !(await isToBeWritten(store, key))) return null;
  const nowMs = clock.nowMs();
  const unclear = { ...key, question: "wanted", polls: { gt: 0 }, askedAtMs: null } as const;
  await commit(run, async (tables) => void (await tables.verifications.update(unclear, { askedAtMs: nowMs })));
  const waitedMs = nowMs - (run.item.pendingSinceMs ?? nowMs);
  const restMs = Math.min(WHOLE_LONGEST_MS, Math.max(WHOLE_MS, waitedMs));
  return { kind: "waits", untilMs: nowMs + restMs, reason: reasonOf(run, "emptied") };
}

/**
 * Whether the template showed itself lately; a list may lag behind the account, and the answer to a write may leave out what the carriers
 * say, which its GET would then show as if it were news.
 */
async function isKnownFresh(
  { services }: Run,
  { followed: { ref, templateId }, questions }: { followed: Followed; questions: VerificationRecord[] },
): Promise<boolean> {
  const { store, clock } = services;
  const known = await store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  if (!known || isDoubted(known) || known.aloneAtMs === null) return false;
  if (questions.some((record) => isUnclear(record) || hidesWord(known.template, record))) return false;
  return isYoung(clock, known.aloneAtMs, BASELINE_AGE_MS);
}

/**
 * Reads the template; false when it was not found. A reading that another one, or a write of the location's run, has overtaken is not
 * stored, and the template is read again at once. It cannot be left to the next run: a list that came meanwhile may have moved the polls,
 * so that no run would look.
 */
async function look(run: Run, { ref, account, templateId }: Followed): Promise<boolean> {
  const { services } = run;
  for (let count = 0; count < MOST_READINGS; count += 1) {
    const known = await services.store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
    const found = await account.get(templateId);
    if (found.kind === "not_found") return false;
    const read = { ref, template: found.value };
    const isKept = await commit(run, async (tables) => {
      const row = await keepReading(services, tables, { ...read, known });
      if (!row) return false;
      await requestMoved(services, tables, { ref, template: row.template });
      return true;
    });
    services.wake();
    if (isKept) return true;
  }
  throw superseded("the template was read or written meanwhile");
}

/**
 * Where more templates are due than the book has pages, one list answers for all of them. A list that cannot be read answers for none.
 * False when the template was not found.
 */
async function lookCheaply(run: Run, followed: Followed): Promise<boolean> {
  const { ref, account } = followed;
  if (failsByItself(run.item) || (await readBookFailure(run.services.store, ref.shop))) return look(run, followed);
  const key = { shop: ref.shop, connectionId: ref.id };
  const nowMs = run.services.clock.nowMs();
  const answered = { ...key, question: "asked" as const, askedAtMs: { lte: nowMs - LIST_BEHIND_MS } };
  const due = { ...answered, nextPollAtMs: { lte: nowMs + TOGETHER_MS } };
  const listing = await commit(run, async (tables) => {
    const templates = new Set((await tables.verifications.list(due)).map((record) => record.templateId));
    // A list may lag, so it cannot answer a question of a moment ago.
    if (!templates.has(followed.templateId)) return false;
    const pages = pagesOf(await tables.templates.count(key));
    if (templates.size <= pages) return false;
    await tables.verifications.update(due, { nextPollAtMs: nowMs + LISTING_MS });
    return true;
  });
  if (!listing) return look(run, followed);
  const book = await readBook(run, ref, account);
  const hidden = book.unreadable.find(({ id }) => id === followed.templateId);
  if (hidden) throw unreadableRow(hidden);
  // A list may miss the template; only its own GET proves that it is gone.
  return book.templates.some(({ id }) => id === followed.templateId) || look(run, followed);
}

/** Once the template is believed gone, there is nothing to verify. The run of the linked location finds out about it. */
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
