import { markerOf } from "../../../app/domain/marker.ts";
import type { PendingWrite } from "../../../app/domain/records.ts";
import type { Arrival, ServiceRequest } from "../../fakes/shipping/network.ts";
import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import type { TakenEvent } from "../../fakes/shopify.ts";
import type { ShopifyAnswer, ShopifyCall } from "../../fakes/shopify-server.ts";
import type { Known } from "../people/stage.ts";
import type { Accounts } from "../story/accounts.ts";
import type { Posted } from "../story/post.ts";
import type { Weather } from "../story/service-weather.ts";
import type { Timeline } from "../story/timeline.ts";
import { createAnswersWatch } from "./answers.ts";
import type { AnswersWatch } from "./answers.ts";
import { carriesOutCancelled, noteCancelled } from "./cancelled.ts";
import { createCostWatch } from "./costs.ts";
import type { CostWatch } from "./costs.ts";
import { createCredentialsWatch, keptSecrets } from "./credentials.ts";
import { createDeleteWatch } from "./deletes.ts";
import { noVerdict } from "./figures.ts";
import { createFlowWatch } from "./flow.ts";
import type { FlowWatch } from "./flow.ts";
import type { Figure, Verdict } from "./figures.ts";
import { createMovesWatch } from "../moves/judge.ts";
import { refusedInVain } from "./refused.ts";
import { createStillWatch } from "./still.ts";
import type { StillWatch } from "./still.ts";
import { createDraftEndsWatch } from "./drafts.ts";
import type { DraftEndsWatch } from "./drafts.ts";
import { falselyTold } from "./draft-claims.ts";
import { unknowable } from "./unknowable.ts";
import { createUnservedWatch } from "./unserved.ts";
import type { UnservedWatch } from "./unserved.ts";
import { lostVerdicts, verdictsTurnedToWaiting } from "./verdicts.ts";
import type { Disputes } from "./verdicts.ts";

/** The oracle during the story: it follows everything that happens, and objects at once. */
export interface Watch extends Disputes {
  readonly verdict: Verdict;
  readonly arrivals: Arrival[];
  readonly unserved: UnservedWatch;
  readonly still: StillWatch;
  readonly service: AnswersWatch;
  readonly costs: CostWatch;
  readonly flow: FlowWatch;
  readonly draftEnds: DraftEndsWatch;
  /**
   * Templates that an owner linked to another location than the one they were made for; that location needs a template of its own. And
   * those that nobody could know of when they were made once more, for the lists were empty.
   */
  readonly given: ReadonlySet<string>;
  object(figure: Figure, words: string): void;
  committed(changes: StoredChange[]): void;
  forgot(shop: string): void;
  /** A request to the service leaves. Returns when its pending write was committed; null for a request without one. */
  left(request: ServiceRequest): number | null;
  shopifyAnswered(call: ShopifyCall, answer: ShopifyAnswer): void;
  sent(webhook: Posted): void;
}

interface WatchParts {
  /** A function, because the database is made after the watch. */
  database: () => MemoryDatabase;
  accounts: Accounts;
  known: Known;
  nowMs: () => number;
  /** Whether every process of the app is awake. */
  allAwake: () => boolean;
  weather: Pick<Weather, "listsBehindMs" | "getsBehindMs" | "stuck">;
  timeline: Timeline;
  /** What Shopify Flow has taken. A function, because Shopify is made after the watch. */
  taken: () => readonly TakenEvent[];
}

/** As the design says: a write leaves within this of its announcement, or it is not sent. */
const LEAVES_WITHIN_MS = 5_000;

export function createWatch({
  database,
  accounts,
  known,
  nowMs,
  allAwake,
  weather,
  timeline,
  taken,
}: WatchParts): Watch {
  const verdict = noVerdict();
  const unserved = createUnservedWatch(nowMs);
  const still = createStillWatch(nowMs);
  const { listsBehindMs, getsBehindMs } = weather;
  const service = createAnswersWatch({ nowMs, listsBehindMs, getsBehindMs, allAwake });
  const costs = createCostWatch(nowMs);
  const moves = createMovesWatch({ accounts, known });
  const flow = createFlowWatch({ database, taken });
  const draftEnds = createDraftEndsWatch(nowMs);
  const credentials = createCredentialsWatch({ known, nowMs });
  const deletes = createDeleteWatch(
    { rows: (name) => database().rows(name), open: () => database().open() },
    { nowMs, allAwake },
  );

  const object = (figure: Figure, words: string) => {
    if (verdict[figure].includes(words)) return;
    verdict[figure].push(words);
    timeline.tell("oracle", () => `OBJECTS, ${figure}: ${words}`);
  };

  const announced = ({ operation, templateId, reader, body }: ServiceRequest): Readonly<PendingWrite> | null => {
    for (const pending of database().rows("pendingWrites")) {
      if (pending.shop !== reader || pending.operation !== operation) continue;
      if (operation !== "create" ? pending.templateId === templateId : carries(body, pending)) return pending;
    }
    return null;
  };

  /** By the true clock, from which a process's clock may differ. */
  const announcedAtMs = new Map<string, number>();
  const noteAnnounced = ({ table, before, after }: StoredChange) => {
    if (table !== "pendingWrites") return;
    if (!after) announcedAtMs.delete(before!.id);
    else if (!before) announcedAtMs.set(after.id, nowMs());
  };

  /**
   * When a write to a template was announced, by a run or by a form. Of several announcements the latest counts, because a write over another
   * client id may still be unclear. Null if that is longer ago than a write may take to leave: what was told until it left counts then.
   */
  const announcementOf = ({ operation, templateId, reader }: ServiceRequest): number | null => {
    let latestMs = -Infinity;
    for (const { id, ...pending } of database().rows("pendingWrites"))
      if (pending.shop === reader && pending.operation === operation && pending.templateId === templateId)
        latestMs = Math.max(latestMs, announcedAtMs.get(id) ?? -Infinity);
    return nowMs() - latestMs <= LEAVES_WITHIN_MS ? latestMs : null;
  };

  const disputedAtMs = new Map<string, number>();
  const noteDisputed = ({ table, before, after }: StoredChange) => {
    if (table !== "templates") return;
    const { connectionId, templateId } = (after ?? before)!;
    const key = `${connectionId} ${templateId}`;
    if (!after || after.disputedSinceMs === null) disputedAtMs.delete(key);
    else if (after.disputedSinceMs !== before?.disputedSinceMs) disputedAtMs.set(key, nowMs());
  };

  const given = new Set<string>();
  const noteGiven = ({ table, before, after }: StoredChange) => {
    if (table !== "links" || before || after?.how !== "chosen") return;
    const { shop, locationId, templateId } = after;
    const madeFor = accounts.all
      .map((account) => account.madeFor.get(templateId))
      .find((marker) => marker !== undefined);
    if (madeFor !== undefined && madeFor !== markerOf(shop, locationId)) given.add(templateId);
  };

  return {
    verdict,
    arrivals: [],
    unserved,
    given,
    disputedAtMs: ({ connectionId, templateId }) => disputedAtMs.get(`${connectionId} ${templateId}`) ?? null,
    still,
    service,
    costs,
    flow,
    draftEnds,
    object,
    committed(changes) {
      for (const change of changes) {
        noteGiven(change);
        noteAnnounced(change);
        noteDisputed(change);
        unserved.committed(change);
        still.committed(change);
        draftEnds.committed(change);
        const again = moves.committed(change);
        if (again) object("falseWords", again);
        const gone = deletes.committed(change);
        if (gone) object("needlessDeletes", gone);
        const words = falselyTold(change, { database, accounts, known });
        if (words) object("falseWords", words);
      }
      for (const jobId of new Set(
        changes.flatMap(({ table, after }) => (table === "jobItems" && after ? [after.jobId] : [])),
      ))
        if (known.cancelling.has(jobId)) noteCancelled({ database: database(), known }, jobId);
      for (const words of flow.committed(changes)) object("untold", words);
      for (const words of credentials.committed(changes)) object("credentialsLost", words);
      for (const words of lostVerdicts(changes, { database: database(), accounts })) object("verdictsLost", words);
      for (const words of refusedInVain(changes, known)) object("falseWords", words);
      for (const words of keptSecrets(changes, { database: database(), known })) object("falseWords", words);
      for (const words of verdictsTurnedToWaiting(changes, { database: database(), accounts }))
        object("verdictsLost", words);
    },
    forgot(shop) {
      const words = credentials.forgot(shop);
      if (words) object("credentialsLost", words);
    },
    left(request) {
      service.left(request);
      const { operation, reader: shop, templateId } = request;
      if (operation === "create") {
        const [rows, connections] = [database().rows("templates"), database().rows("connections")];
        for (const id of unknowable(request, { rows, connections, accounts, weather, nowMs: nowMs() })) given.add(id);
      }
      if (operation === "verify") costs.asked({ shop, templateId });
      if (operation !== "create" && operation !== "update" && operation !== "delete") return null;
      const writtenSinceMs = announcementOf(request);
      const pending = announced(request);
      if (!pending && operation === "delete")
        object("needlessDeletes", `${templateId} is deleted, and nobody has announced that`);
      if (!pending) return writtenSinceMs;
      costs.left(pending);
      if (pending.locationId === null) return writtenSinceMs;
      const needless = operation === "delete" ? deletes.left(pending) : null;
      if (needless) object("needlessDeletes", needless);
      const item = carriesOutCancelled(database(), known.cancelled, pending.workItemId);
      if (item) object("falseWords", `a job was told to be cancelled, and ${item.locationId} is written all the same`);
      return writtenSinceMs;
    },
    shopifyAnswered(call, answer) {
      deletes.answered(call, answer);
      credentials.answered(call, answer);
    },
    sent: (webhook) => credentials.sent(webhook),
  };
}

function carries(body: Record<string, unknown>, { marker, payload }: Readonly<PendingWrite>): boolean {
  const { alias_name = "" } = (body["address_template"] ?? {}) as { alias_name?: string };
  return marker === null ? payload?.alias_name === alias_name : alias_name.includes(marker);
}
