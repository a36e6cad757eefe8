import { NEVER_MS } from "../../../app/domain/backoff.ts";
import { markerIn, markerOf } from "../../../app/domain/marker.ts";
import { fitOf, mayBeNamed } from "../../../app/domain/plan/create-fit.ts";
import type { PendingWrite, WorkItem } from "../../../app/domain/records.ts";
import { shutReason } from "../../../app/domain/shop-access.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import type { StoredChange } from "../../fakes/memory-store.ts";
import { isLeftByCancel } from "./cancelled.ts";
import { connectionOf, draftTemplate, isMissing, moveOf, templateOfWorkItem } from "../people/stage.ts";
import type { Named, Stage } from "../people/stage.ts";
import type { Stuck } from "../story/stuck.ts";

/**
 * Which work items wait for too long, though nothing that sticks holds them up.
 *
 * Long, because each fault that may hold one up is looked for in what the story knows, and the pages are held to tell it.
 */

/** Work items with a generation that no run has answered, and since when. */
export interface Unserved {
  workItem: Readonly<WorkItem>;
  sinceMs: number;
}

export interface UnservedWatch {
  committed(change: StoredChange): void;
  all(): Iterable<Unserved>;
  /** Something held up the work item when the oracle looked, so its waiting counts from then on. */
  heldUp(workItemId: string): void;
  heldUntilMs(workItemId: string): number;
}

export function createUnservedWatch(nowMs: () => number): UnservedWatch {
  const unserved = new Map<string, Unserved>();
  const heldUp = new Map<string, number>();
  return {
    committed({ table, before, after }) {
      if (table !== "workItems") return;
      if (!after || after.generation <= after.observedGeneration) return void unserved.delete((after ?? before)!.id);
      const known = unserved.get(after.id);
      const served = known !== undefined && after.observedGeneration > known.workItem.observedGeneration;
      unserved.set(after.id, { workItem: after, sinceMs: known && !served ? known.sinceMs : nowMs() });
    },
    all: () => unserved.values(),
    heldUp: (workItemId) => void heldUp.set(workItemId, nowMs()),
    heldUntilMs: (workItemId) => heldUp.get(workItemId) ?? 0,
  };
}

/** A service that answers other work must serve a healthy work item within this time. */
const SERVED_WITHIN_MS = 10 * 60_000;

/** Work items that nothing holds up and that waited too long in the calm. */
export function starved(
  stage: Stage,
  { unserved, calmSinceMs, excused }: { unserved: UnservedWatch; calmSinceMs: number; excused: ReadonlySet<string> },
): Unserved[] {
  const nowMs = stage.nowMs();
  // A work item that was held up may stop being one: one that waited for the list, for example, has its template once the list is well
  // again. So holding up is noted while it lasts.
  for (const { workItem, sinceMs } of unserved.all())
    if (
      isHeldUp(stage, workItem, sinceMs) ||
      awaitsLook(stage, workItem, nowMs - Math.max(sinceMs, calmSinceMs)) ||
      isPutOff(workItem, nowMs - sinceMs)
    )
      unserved.heldUp(workItem.id);
  return [...unserved.all()].filter(
    ({ workItem, sinceMs }) =>
      nowMs - Math.max(sinceMs, calmSinceMs, unserved.heldUntilMs(workItem.id)) > SERVED_WITHIN_MS &&
      !excused.has(workItem.id) &&
      isHealthy(stage, workItem, sinceMs),
  );
}

/** A shop that Shopify does not let in is tried again every quarter of an hour, and each of its pages says so. */
const LONGEST_LOOK_MS = 15 * 60_000;

function awaitsLook({ database }: Stage, { shop }: Readonly<WorkItem>, waitedMs: number): boolean {
  if (waitedMs > LONGEST_LOOK_MS) return false;
  for (const row of database.rows("shops")) if (row.shop === shop) return shutReason(row) !== null;
  return false;
}

/** What Shopify says of the whole shop again is acted on ten minutes after the last time. */
const PUT_OFF_MS = 10 * 60_000;

function isPutOff({ kind, key }: Readonly<WorkItem>, waitedMs: number): boolean {
  return kind === "told" && (key === "uninstall" || key === "redact") && waitedMs <= PUT_OFF_MS;
}

function isHealthy(stage: Stage, workItem: Readonly<WorkItem>, sinceMs: number): boolean {
  const { shop, kind } = workItem;
  if (workItem.state !== "active" || stage.known.away.has(shop)) return false;
  // An uninstall that nobody confirms is waited for over weeks.
  if (kind === "uninstall" || (kind as string) === "redact") return false;
  // Shopify has told of a location that it shows nobody, for it has none of that id any more.
  if (kind === "location" && stage.shopify.known(shop, workItem.key) === null && !isKept(stage, workItem)) return false;
  // A work item that a cancelled job left waits for the next change.
  if (workItem.dueAtMs >= NEVER_MS && isLeftByCancel(stage, workItem)) return false;
  if (connectionOf(stage, shop)?.state !== "active") return false;
  return !isHeldUp(stage, workItem, sinceMs);
}

function isKept({ database }: Stage, { shop, key }: Readonly<WorkItem>): boolean {
  for (const row of database.rows("locations")) if (row.shop === shop && row.locationId === key) return true;
  return false;
}

/**
 * Whether a fault that sticks, or has stuck since the work item was requested, holds it up. The pages must tell that, and nobody in the
 * story mends it.
 */
export function isHeldUp(stage: Stage, workItem: Readonly<WorkItem>, sinceMs = 0): boolean {
  const { stuck } = stage.scenery.weather;
  return (
    isMalformed(stage, workItem) ||
    mayBeMade(stage, workItem) ||
    mayBeNameless(stage, workItem) ||
    stuck.some((each) => each.untilMs > sinceMs && concerns(stage, each, workItem))
  );
}

/**
 * Whether the service refused the work item's write in its own words, and nothing else, time after time. Such a refusal is believed, and
 * Home names it with the words and a button; nobody in the story presses that once the service would take the write again.
 */
export function isRefusedForGood(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  if (workItem.state !== "blocked" || workItem.reason?.code !== "refused_by_service") return false;
  return stage.scenery.weather.stuck.some((each) => each.how === "says_403" && concerns(stage, each, workItem));
}

/** Whether the service refused, at that moment and each time it was asked, what a change by hand sends. */
export function refusesForGood(
  stage: Stage,
  { workItem, operation, atMs }: { workItem: Named; operation: Stuck["operation"]; atMs: number },
): boolean {
  return stage.scenery.weather.stuck.some(
    (each) =>
      each.how === "says_403" &&
      each.operation === operation &&
      each.fromMs <= atMs &&
      atMs <= each.untilMs + ANSWERED_WITHIN_MS &&
      concernsTemplateOf(stage, each, workItem),
  );
}

/** A refusal of the last moment is told when its answer is here. */
const ANSWERED_WITHIN_MS = 60_000;

/**
 * Whether the work item's template cannot be read. For a location without a link, this means a template that was made for it or carries its
 * marker.
 */
function isMalformed(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  const { kind, shop, key } = workItem;
  if (stage.malformed.size === 0) return false;
  const templateId = templateOfWorkItem(stage, workItem);
  const marker = kind === "location" ? markerOf(shop, key) : null;
  const isMade = ({ madeFor, templates }: FakeAccount, id: string) =>
    madeFor.get(id) === marker || (templateId === null && markerIn(templates.get(id)?.alias_name ?? "") === marker);
  const ids = [...stage.malformed];
  if (marker !== null && stage.accounts.all.some((account) => ids.some((id) => isMade(account, id)))) return true;
  return templateId !== null && stage.malformed.has(templateId);
}

/**
 * Whether a row that cannot be read may be the template of an unclear create of this work item, or of another one that may have made this
 * one's template. The row has the create's name, or it has neither id nor name and is newer than the create, as the connection shows. The
 * create must not be sent again then, because that could make a duplicate, and nobody writes to what it may have made. It may have been sent
 * with another client id: the service does not tell whether both open one account.
 */
function mayBeMade(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  if (stage.malformed.size === 0) return false;
  const connection = connectionOf(stage, workItem.shop);
  if (!connection) return false;
  const makers = workItem.kind === "template" ? mayHaveMade(stage, workItem) : [];
  for (const pending of stage.database.rows("pendingWrites")) {
    if (pending.operation !== "create") continue;
    if (pending.workItemId !== workItem.id && !makers.includes(pending)) continue;
    if (environmentOf(stage, pending.connectionId) !== connection.environment) continue;
    const { payload, alike, committedAtMs } = pending;
    const isOne = connection.bookUnreadable.some(({ id: templateId, name, sinceMs }) => {
      if (templateId === null) return name === null && sinceMs > committedAtMs;
      const isUnreadable = stage.malformed.has(templateId) && !alike.includes(templateId);
      return isUnreadable && name !== null && mayBeNamed(name, payload?.alias_name ?? "");
    });
    if (isOne) return true;
  }
  return false;
}

/**
 * Whether the work item's template is gone, and the account's list shows a row without an id that is a template of which this shop has never
 * read the name: nothing tells the shop that the row is not the template that went. Of a row that it has read before, that one's own GET
 * tells.
 */
function mayBeNameless(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  if (stage.malformed.size === 0 || !isMissing(stage, workItem)) return false;
  const connection = connectionOf(stage, workItem.shop);
  if (!connection?.bookUnreadable.some(({ id }) => id === null)) return false;
  const known = new Set<string>();
  for (const row of stage.database.rows("templates")) if (row.connectionId === connection.id) known.add(row.templateId);
  return [...stage.malformed].some((id) => !known.has(id));
}

function environmentOf({ database }: Stage, connectionId: string): string | undefined {
  for (const { id, environment } of database.rows("connections")) if (id === connectionId) return environment;
  return undefined;
}

/** Whether a work item cannot be served while the fault sticks. */
function concerns(stage: Stage, stuck: Stuck, workItem: Readonly<WorkItem>): boolean {
  const { kind, shop, key } = workItem;
  if (stuck.at === null) return needsTheList(stage, workItem);
  if (kind === "location" && shop === stuck.at.shop && key === stuck.at.locationId) return true;
  return concernsTemplateOf(stage, stuck, workItem);
}

/** A fault sticks to the template that was made for a location. The location's owner may have linked that template to another one. */
function concernsTemplateOf(stage: Stage, { at }: Stuck, workItem: Named): boolean {
  if (at === null) return false;
  const templateId = templateOfWorkItem(stage, workItem);
  const marker = markerOf(at.shop, at.locationId);
  return templateId !== null && stage.accounts.all.some(({ madeFor }) => madeFor.get(templateId) === marker);
}

/**
 * Whether a work item needs the list: a location without a template, an unclear create, a reconcile, a template that is not found, which is
 * gone only if the list says so, and a change by hand of a template that a location's unclear create may have made. Only the list tells
 * which template that create made, and nobody writes there before.
 */
function needsTheList(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  const { kind, shop, key, id } = workItem;
  if (kind === "reconcile" || isMissing(stage, workItem)) return true;
  if (kind === "verification") return false;
  if (kind === "template" && mayHaveMade(stage, workItem).length > 0) return true;
  for (const pending of stage.database.rows("pendingWrites"))
    if (pending.workItemId === id && pending.operation === "create") return true;
  if (kind === "move") return moveOf(stage, { shop, locationId: key })?.templateId === null;
  if (kind !== "location") return false;
  const connectionId = connectionOf(stage, shop)?.id;
  for (const link of stage.database.rows("links"))
    if (link.connectionId === connectionId && link.locationId === key) return false;
  return true;
}

/** Other work items' unclear creates, any of which may have made the template that this one changes by hand. */
function mayHaveMade(stage: Stage, { id, shop, key }: Readonly<WorkItem>): Readonly<PendingWrite>[] {
  const templateId = draftTemplate(stage, key);
  const connectionId = connectionOf(stage, shop)?.id;
  const makers: Readonly<PendingWrite>[] = [];
  for (const row of stage.database.rows("templates")) {
    if (row.templateId !== templateId || row.connectionId !== connectionId) continue;
    for (const pending of stage.database.rows("pendingWrites")) {
      const { workItemId, operation, payload, alike } = pending;
      if (workItemId === id || operation !== "create" || pending.connectionId !== connectionId) continue;
      if (payload && !alike.includes(row.templateId) && fitOf(row.template, payload) > 0) makers.push(pending);
    }
  }
  return makers;
}
