import { findsNews } from "../domain/plan/behind.ts";
import { NEVER_MS, reconcileDelayMs } from "../domain/backoff.ts";
import { isAppError } from "../domain/errors.ts";
import { chunksOf } from "../domain/chunks.ts";
import { isYoung } from "../domain/moment.ts";
import { closedReason } from "../domain/closed-reason.ts";
import { planOrigin } from "../domain/plan/plan.ts";
import type { ConnectionRecord, WorkItemReason, WorkItem } from "../domain/records.ts";
import { isBehind } from "../domain/plan/location-age.ts";
import { passGate, refOf } from "../runs/circuit-breaker.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { readableAccount } from "../runs/shipping-account.ts";
import { confirmAccount } from "../account/confirm-account.ts";
import { filterInTurns } from "../runs/in-turns.ts";
import { keeperOf, keptLinks } from "../account/kept-links.ts";
import { withoutNameless } from "../book/same-rows.ts";
import { forgetRefusal } from "../shop/forget-refusal.ts";
import { requestWork } from "../runs/request-work.ts";
import { nextReopeningMs, reopenConnection } from "../account/reopen-connection.ts";
import type { Reopening } from "../account/reopen-connection.ts";
import { readBook } from "../book/read-book.ts";
import { readPlanFacts } from "./read-plan-facts.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { awaitNewer, isNews, keepLocation, listedFor, needsLook, stoppedAtService } from "./read-location.ts";

/** A closed connection that could not be asked for keeps everything waiting. */
const ASK_AGAIN_MS = 15 * 60_000;
/** A look that comes by itself within this comes for what the last one left open. */
const SOONEST_MS = reconcileDelayMs(0);
/** Failures of a reconcile in about six hours. */
const FAILURES_A_LOOK = 24;

/** How many requests one transaction makes, so that nobody waits for the database longer than a page should. */
const CHUNK = 20;

/**
 * Looks at everything: all locations, the whole address book. Requests the work items where something would be sent, has drifted, or
 * had been given up; the rest cost nothing. A connection that the service closed is asked for once. Comes again after six hours, more
 * or less; soon, where one reading of the book does not do, or the connection was closed a short while ago.
 */
export async function reconcileShop(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { store, clock, random, settings } = services;
  const known = await store.shops.find({ shop: item.shop });
  if (!known || known.uninstalledAtMs !== null) return { kind: "done" };
  const { reconciledAtMs } = known;
  if (reconciledAtMs !== null && (await isAnsweredMeanwhile(run, reconciledAtMs)))
    return { kind: "done", againAtMs: reconciledAtMs + reconcileDelayMs(random.next()) };
  const isWhole = isWholeLook(item);
  if (isWhole) await readLocations(run);
  // Whoever connected meanwhile has requested the next run: one of the two reads the book.
  if (await isRequestedAgain(run)) return { kind: "done" };
  const current = await store.connections.find({ shop: item.shop, current: true });
  const reopening = current?.state === "invalid" ? await reopenConnection(run, current) : null;
  const connection = reopening?.kind === "opened" ? reopening.connection : current;
  const rests = connection && (await readAccountOrRequestWork(run, { connection, isWhole }));
  if (rests) return rests;
  await requestWhereNeeded(run);
  await commit(run, async (tables) => {
    await tables.shops.update({ shop: item.shop }, { reconciledAtMs: clock.nowMs() });
  });
  services.wake();
  const delayMs = (await needsSecondListing(run)) ? settings.listingsApartMs : reconcileDelayMs(random.next());
  const reopensMs = current && reopening ? reopeningMs(reopening, current, clock.nowMs()) : Infinity;
  return { kind: "done", againAtMs: clock.nowMs() + Math.min(delayMs, reopensMs) };
}

/** How long until a closed connection is to be asked for once more, in milliseconds. */
function reopeningMs({ kind }: Reopening, closed: ConnectionRecord, nowMs: number): number {
  if (kind === "unanswered") return ASK_AGAIN_MS;
  return kind === "closed" ? nextReopeningMs(closed, nowMs) : Infinity;
}

/**
 * Whether something waits for what only two listings prove: that the book is known whole, or that a template is gone. Not one that may
 * be a row without an id, which no listing tells. Nor that a list is right which shows a template otherwise than it was read by itself: its
 * own GET may fail for ever.
 */
async function needsSecondListing({ services: { store, clock, settings }, item: { shop } }: Run): Promise<boolean> {
  const connection = await store.connections.find({ shop, current: true, state: "active" });
  if (!connection) return false;
  if (connection.bookConfirmedAtMs === null) return true;
  const key = { shop, connectionId: connection.id };
  const disputedSinceMs = { gt: clock.nowMs() - settings.listingsApartMs };
  if ((await store.templates.count({ ...key, disputedSinceMs })) > 0) return true;
  const marked = await store.templates.list({ ...key, unlistedSinceMs: { not: null } });
  const unlisted = withoutNameless(marked, connection.bookUnreadable);
  const linked = { ...key, templateId: { in: unlisted.map(({ templateId }) => templateId) } };
  return unlisted.length > (await store.links.count(linked));
}

/**
 * Whether the look was to come soon after the last one because of a template that a list was not believed of, and its own GET has told
 * since. Looked at all the same, a service whose lists always show it otherwise would be asked every half a minute.
 */
async function isAnsweredMeanwhile(run: Run, reconciledAtMs: number): Promise<boolean> {
  const { generation, observedGeneration, reason, shop } = run.item;
  const { store, clock } = run.services;
  if (generation > observedGeneration || reason !== null || !isYoung(clock, reconciledAtMs, SOONEST_MS - 1))
    return false;
  const connection = await store.connections.find({ shop, current: true, state: "active" });
  if (!connection || (await needsSecondListing(run))) return false;
  return (await store.templates.count({ shop, connectionId: connection.id, disputedSinceMs: { not: null } })) === 0;
}

/** Stopped at the service, the locations were read in this generation; one that fails there for days looks at them all the same. */
function isWholeLook({ reason, failures }: WorkItem): boolean {
  return !stoppedAtService(reason) || (failures > 0 && failures % FAILURES_A_LOOK === 0);
}

async function isRequestedAgain({ services, item }: Run): Promise<boolean> {
  return (await services.store.workItems.count({ id: item.id, generation: { gt: item.generation } })) > 0;
}

async function readLocations(run: Run): Promise<void> {
  const { services, item } = run;
  const { shop } = item;
  const known = new Map((await services.store.locations.list({ shop })).map((row) => [row.locationId, row]));
  const found = await services.shopify.locations(shop);
  const news = found.filter((location) => isNews(known.get(location.locationId), location));
  const listed = await listedFor(services, news);
  for (const chunk of chunksOf(news, CHUNK)) {
    await commit(run, async (tables) => {
      for (const location of chunk) {
        const { locationId } = location;
        // A run that read it since the list was asked for knows better.
        const now = await tables.locations.find({ shop, locationId });
        if (now?.readAtMs !== known.get(locationId)?.readAtMs) continue;
        // The location's own run asks until Shopify shows what it has told before, or for too long.
        if (now && isBehind(now, location)) await awaitNewer(services, tables, now);
        else await keepLocation(services, tables, { shop, found: location, before: now, listed });
        // A new one needs a run only where its owner has said something: see below.
        if (!now || !needsLook(now, location)) continue;
        await requestWork(services, tables, { shop, kind: "location", key: locationId });
      }
    });
  }
  const there = new Set(found.map(({ locationId }) => locationId));
  const gone = [...known.values()].filter((row) => row.deletedAtMs === null && !there.has(row.locationId));
  // A list of pages may miss what moved between them, so the location's own run asks for it by its id.
  for (const chunk of chunksOf(gone, CHUNK))
    await commit(run, async (tables) => {
      for (const { locationId } of chunk)
        await requestWork(services, tables, { shop, kind: "location", key: locationId });
    });
  await commit(run, async (tables) => {
    const nowMs = services.clock.nowMs();
    await forgetRefusal(tables, { shop });
    // Whatever shows a location ends the doubt whether it is gone, also where its own reading came in between.
    const doubted = await tables.locations.list({ shop, absentSinceMs: { not: null }, deletedAtMs: null });
    for (const { locationId } of doubted.filter((row) => there.has(row.locationId)))
      await tables.locations.update({ shop, locationId }, { absentSinceMs: null });
    await tables.locations.update({ shop, deletedAtMs: null, behindSinceMs: null }, { readAtMs: nowMs });
  });
}

/** How the run ends where the account cannot be read now; null when it was, or need not be. */
async function readAccount(run: Run, connection: ConnectionRecord): Promise<RunEnd | null> {
  const closed = closedReason(connection);
  if (closed !== null && closed !== "account_unconfirmed") return null;
  const rests = await passGate(run, connection);
  if (rests) return rests;
  const ref = refOf(connection);
  const book = await readBook(run, ref, readableAccount(run, ref));
  if (connection.state === "active") return null;
  const keeperId = keeperOf(await keptLinks(run.services.store, connection), book);
  if (keeperId !== null) await confirmAccount(run.services, { shop: connection.shop, same: true, keeperId });
  return null;
}

/**
 * How the run ends where the account cannot be read now; null when it was, or need not be. A look at everything that gets no list still
 * requests what needs none: known links, and what had been given up.
 */
async function readAccountOrRequestWork(
  run: Run,
  { connection, isWhole }: { connection: ConnectionRecord; isWhole: boolean },
): Promise<RunEnd | null> {
  try {
    const rests = await readAccount(run, connection);
    // The next run finds its reason at the service, and is no look at everything.
    if (rests && isWhole) await requestWhereNeeded(run);
    return rests;
  } catch (error) {
    if (isWhole && isAppError(error) && error.traits.atService) await requestWhereNeeded(run);
    throw error;
  }
}

async function requestWhereNeeded(run: Run): Promise<void> {
  const { services, item } = run;
  const { store, clock } = services;
  const { shop } = item;
  const facts = (await readPlanFacts(services, { shop })) ?? [];
  const workItems = new Map((await store.workItems.list({ shop, kind: "location" })).map((each) => [each.key, each]));
  const locations = await filterInTurns(clock, facts, (each) =>
    needsRun(each, workItems.get(each.location.locationId) ?? null),
  );
  const requests = [
    ...locations.map(({ location }) => ({ kind: "location" as const, key: location.locationId })),
    ...(await store.workItems.list({
      shop,
      kind: { in: ["verification", "template", "move"] },
      state: { not: "active" },
    })),
  ];
  for (const chunk of chunksOf(requests, CHUNK)) {
    await commit(run, async (tables) => {
      for (const { kind, key } of chunk) await requestWork(services, tables, { shop, kind, key, unchanged: true });
    });
  }
}

/** Whether a run of the location would do, or find, something else than the last one did. */
function needsRun(facts: PlanFacts, item: WorkItem | null): boolean {
  const plan = planOrigin(facts);
  if (item?.state === "parked") return true;
  if (item && item.generation > item.observedGeneration) return plan.step !== "leave" && !comesByItself(item);
  switch (plan.step) {
    case "leave":
      return item?.state === "blocked";
    case "blocked":
      // Nobody has looked at it yet: that is its state without a run, and a first reconcile may find thousands of them.
      if (!item && plan.reason === "unconfirmed") return false;
      return item?.state !== "blocked" || item.reason?.code !== plan.reason;
    case "record": {
      if (item?.state === "blocked" && item.reason?.code !== "conflict") return true;
      return findsNews(facts.link!, plan.comparison);
    }
    default:
      return true;
  }
}

/** What waited for is over once the book was read, by this reconcile. */
const UNTIL_BOOK_IS_READ: readonly WorkItemReason["code"][] = ["book_unread", "book_unreadable"];

/**
 * What waits for something says so, and is due when that may be over; what a cancelled job left is due never. A run under way may have
 * planned on what was known before, and what it ends is not looked at again.
 */
function comesByItself({ reason, dueAtMs, leaseOwner }: WorkItem): boolean {
  return leaseOwner === null && reason !== null && !UNTIL_BOOK_IS_READ.includes(reason.code) && dueAtMs < NEVER_MS;
}
