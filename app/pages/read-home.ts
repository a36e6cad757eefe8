import { WORK_ITEM_KINDS } from "../domain/backoff.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { keepsFailing, longestFailing } from "../domain/failing.ts";
import { isOwnersMove, moveNews } from "../domain/plan/move-news.ts";
import { exclusionOf } from "../domain/origin-state.ts";
import { answerOf, CARRIER_ANSWERS, saidBefore } from "../domain/verification/carrier-standing.ts";
import type { Attention } from "../domain/readiness.ts";
import type { CarrierAnswer } from "../domain/verification/carrier-standing.ts";
import type { WorkItem, WorkItemKind } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { failureOf } from "../views/failure-of.ts";
import { knownLocations } from "../readings/known-rows.ts";
import { originStatuses } from "../readings/origin-status.ts";
import type { OriginStatus } from "../readings/origin-status.ts";
import { onlyOriginOf } from "../readings/only-origin.ts";
import type { OriginRecords, ShopOrigins } from "../readings/read-origin-facts.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { shopHealth } from "./read-shell.ts";
import { readTroubles } from "./read-troubles.ts";
import type { ShopHealth } from "../views/shell.ts";
import { readSetup } from "./read-setup.ts";
import type { CarrierCount, HomeView, MoveNeedView, NeedView, OpenOrigins } from "../views/home.ts";
import { NEEDS } from "../views/home.ts";
import { wholeLookAtMs } from "../readings/whole-look.ts";

/** How many names are shown of each need. */
const NAMED = 3;

/** Calls a work item costs, by and large: a look and a write. */
const CALLS_EACH = 2;

/** What waits behind a resting connection is due again within this. */
const LONGEST_REST_MS = 65_000;
/** What waits for Shopify to let us in is due again within this. */
const LONGEST_SHUT_MS = 3_600_000;

function heldForMs(health: ShopHealth): number {
  if (health === "shut") return LONGEST_SHUT_MS;
  return health === "failing" ? LONGEST_REST_MS : 0;
}

/** Home, from the database: what needs the owner, what is ready, what is under way. Null when the shop is unknown. */
export async function readHome(services: Services, { shop }: { shop: string }): Promise<HomeView | null> {
  const known = await readOriginFacts(services, { shop });
  if (!known) return null;
  const statuses = await originStatuses(
    services,
    known.origins.filter((origin) => exclusionOf(origin) === null),
  );
  // Whatever else there is to say of them; a location that left may have a template that cannot be deleted.
  const failing = known.origins.filter(({ item }) => item !== null && keepsFailing(item, known.nowMs));
  const health = shopHealth(known.shop, known.connection);
  const reading = statuses.length === 0 && (await isFirstLook(services, shop));
  return {
    connection: { health, environment: known.connection?.environment ?? null },
    needs: needsOf(statuses, failing),
    troubles: await readTroubles(services, known, health),
    moves: movesOf(known),
    origins: countOrigins(statuses),
    carriers: known.shop.policies.carriers.map((carrier) => countCarrier(carrier, statuses)),
    reconciledAtMs: wholeLookAtMs(known.shop, known.connection),
    reading,
    queue: await readQueue(services, { shop, untilMs: known.nowMs + heldForMs(health) }),
    setup: await readSetup(services, { known, statuses, health, reading }),
    onlyLocationId: onlyOriginOf(known.origins),
  };
}

function movesOf({ origins, shop: { timeZone } }: ShopOrigins): MoveNeedView[] {
  return origins.flatMap((origin) => {
    const news = origin.move ? moveNews({ ...origin, timeZone }) : null;
    // The state of the origin says that Shopify shows a third address.
    if (!news || !isOwnersMove(news) || news.code === "elsewhere") return [];
    return [{ news, legacyId: legacyIdOf(origin.location.locationId), name: origin.location.name }];
  });
}

function needsOf(statuses: OriginStatus[], failing: OriginRecords[]): NeedView[] {
  return NEEDS.flatMap((need) => {
    const found =
      need === "parked" ? failing : statuses.filter(({ state }) => state === need).map(({ origin }) => origin);
    if (found.length === 0) return [];
    const failure = need === "parked" ? failureOf(longestFailing(found.map(({ item }) => item!))) : null;
    const named = found.slice(0, NAMED).map(({ location }) => location);
    const origins = named.map(({ locationId, name }) => ({ legacyId: legacyIdOf(locationId), name }));
    return [{ need, count: found.length, failure, origins }];
  });
}

function countCarrier(carrier: string, statuses: OriginStatus[]): CarrierCount {
  const found = statuses.flatMap(({ standings }) => standings.find((one) => one.carrier === carrier) ?? []);
  const counts = Object.fromEntries(
    CARRIER_ANSWERS.map((answer) => [answer, found.filter((one) => answerOf(one) === answer).length]),
  ) as Record<CarrierAnswer, number>;
  return { carrier, ...counts, before: found.filter(saidBefore).length };
}

function countOrigins(statuses: readonly OriginStatus[]): HomeView["origins"] {
  const {
    yes = [],
    some = [],
    rest = [],
  } = Object.groupBy(statuses, ({ outlook: { ships } }) => (ships === "yes" || ships === "some" ? ships : "rest"));
  return {
    ...openOf(statuses),
    canShip: yes.length,
    part: some.length,
    ready: statuses.filter(({ state }) => state === "ready").length,
    total: statuses.length,
    open: { canShip: openOf(yes), part: openOf(some), rest: openOf(rest) },
  };
}

function openOf(statuses: readonly OriginStatus[]): OpenOrigins {
  const count = (attention: Attention) => statuses.filter(({ outlook }) => outlook.attention === attention).length;
  return { yours: count("yours"), underWay: count("itself") };
}

/** Work that carries what an owner changed, here or in Shopify. */
const CHANGES: readonly WorkItemKind[] = ["location", "template"];

/** All that an owner waits for. */
const ON_THE_WAY = WORK_ITEM_KINDS.filter((kind) => kind !== "told" && kind !== "flow");

async function readQueue(
  services: Services,
  { shop, untilMs }: { shop: string; untilMs: number },
): Promise<HomeView["queue"]> {
  const [due, resting] = await Promise.all([
    services.store.workItems.list({ shop, kind: { in: ON_THE_WAY }, state: "active", dueAtMs: { lte: untilMs } }),
    services.store.workItems.list({ shop, kind: { in: CHANGES }, state: "active", dueAtMs: { gt: untilMs } }),
  ]);
  const there = new Set((await knownLocations(services.store, shop)).map(({ locationId }) => locationId));
  // Of a location that Shopify has told of and not shown, nothing is an owner's change.
  const isWaiting = (item: WorkItem) => isDue(item) && (item.kind !== "location" || there.has(item.key));
  const waiting = due.filter(isWaiting).length;
  const budget = services.shipping.budget(shop);
  return {
    waiting,
    later: resting.filter(isWaiting).length,
    leftMs: waiting === 0 ? null : budget.estimateMs(waiting * CALLS_EACH),
    pausedUntilMs: budget.pausedUntilMs,
  };
}

async function isFirstLook({ store }: Services, shop: string): Promise<boolean> {
  const look = await store.workItems.find({ shop, kind: "reconcile", key: "shop" });
  return look !== null && look.observedGeneration === 0 && look.state === "active" && look.failures === 0;
}

function isDue({ generation, observedGeneration }: WorkItem): boolean {
  return generation > observedGeneration;
}
