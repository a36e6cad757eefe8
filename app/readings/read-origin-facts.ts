import { canonicalAddress } from "../domain/address/compare.ts";
import { lookAhead } from "../domain/plan/behind.ts";
import { isLinkDoubted } from "../domain/doubted.ts";
import { isPending } from "../domain/origin-state.ts";
import type { OriginFacts } from "../domain/origin-state.ts";
import type {
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  MoveRecord,
  ShopRecord,
  WorkItem,
  TemplateRecord,
  VerificationRecord,
} from "../domain/records.ts";
import type { Services, Settings } from "../ports.ts";
import { composeOnce } from "./compose-once.ts";
import { mapInTurns } from "../runs/in-turns.ts";
import { PUT_OFF } from "../runs/put-off.ts";
import {
  knownDetails,
  knownLinkedTemplates,
  knownLinks,
  knownLocations,
  knownMoves,
  knownTold,
  knownWorkItems,
  knownVerifications,
} from "./known-rows.ts";
import { knownShop } from "./known-shop.ts";
import type { KnownShop } from "./known-shop.ts";
import { readTogether } from "./read-together.ts";
import { readingOf, rememberReading } from "./remember-reading.ts";
import type { Readable } from "./remember-reading.ts";
import { rememberWork } from "./remember-work.ts";

/**
 * What is known of a shop's locations, for every page.
 *
 * Long, because all, some and one of them are read here, and put together in one way.
 */

const addressKey = rememberWork(canonicalAddress);

export interface OriginRecords extends OriginFacts {
  connection: ConnectionRecord | null;
  link: LinkRecord | null;
  /** The linked template as last seen in the account. */
  template: TemplateRecord | null;
  /** Where the location moves, or has moved. */
  move: MoveRecord | null;
}

export interface ShopOrigins {
  shop: ShopRecord;
  connection: ConnectionRecord | null;
  origins: OriginRecords[];
  nowMs: number;
}

type Needs = NeedsWithin & Pick<Services, "store">;
type NeedsWithin = { store: Readable } & Pick<Services, "clock"> & { settings: Pick<Settings, "verificationWords"> };

/** Every table that says something of an origin. */
export const ORIGIN_TABLES = [
  "shops",
  "connections",
  "locations",
  "details",
  "moves",
  "links",
  "templates",
  "workItems",
  "verifications",
] as const;
const ORIGINS = readingOf(...ORIGIN_TABLES);
const SOME_ORIGINS = readingOf(...ORIGIN_TABLES);

/**
 * All that is known of the shop's locations, of some or of one, put together from the database alone. A location that Shopify no longer
 * has is left out unless a template still stands for it. Null when the shop is unknown. Of all and of some it is shared, so only to be
 * read; an origin of which nothing changed is the same object as before.
 */
export async function readOriginFacts(
  services: Needs,
  { shop, locationId }: { shop: string; locationId?: string | readonly string[] },
): Promise<ShopOrigins | null> {
  if (typeof locationId === "string") return readFacts(services, { shop, where: locationId });
  const { clock } = services;
  const known = await (locationId ? readSome(services, { shop, ids: locationId }) : readAll(services, { shop }));
  if (!known) return null;
  const nowMs = clock.nowMs();
  // Time changes the state of what is to be done and of nothing else.
  const origins = known.origins.map((origin) =>
    origin.behind || isPending(origin.item) ? { ...origin, nowMs } : origin,
  );
  return { ...known, origins, nowMs };
}

/** One origin as a transaction has it so far, of which nothing is remembered; null where there is none. */
export async function readOriginWithin(
  services: NeedsWithin,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<OriginRecords | null> {
  const known = await readFacts(services, { shop, where: locationId });
  return known?.origins[0] ?? null;
}

/**
 * Some of the shop's locations with what stands for them in an account that is not in use, or in none; null when the shop is unknown. What
 * is under way over the account in use says nothing of that one.
 */
export async function readOriginsOver(
  services: Needs,
  { shop, ids, connection }: { shop: string; ids: readonly string[]; connection: ConnectionRecord | null },
): Promise<ShopOrigins | null> {
  return readFacts(services, { shop, where: { in: ids }, over: { connection } });
}

interface Rows {
  known: KnownShop;
  locations: LocationRecord[];
  details: DetailsRecord[];
  moves: MoveRecord[];
  links: LinkRecord[];
  workItems: WorkItem[];
  /** Of the kind `told`: Shopify has told of a change, and the run that reads it is put off. */
  told: WorkItem[];
  templates: TemplateRecord[];
  verificationsOf: Map<string, VerificationRecord[]>;
}

function readAll(services: Needs, { shop }: { shop: string }) {
  const { store } = services;
  return rememberReading({ store, shop, kind: ORIGINS }, async () => {
    const known = await knownShop(services, { shop });
    if (!known) return null;
    const { connection } = known;
    const [locations, details, moves, links, workItems, told, templates, verificationsOf] = await Promise.all([
      knownLocations(store, shop),
      knownDetails(store, shop),
      knownMoves(store, shop),
      connection ? knownLinks(store, connection) : [],
      knownWorkItems(store, shop),
      knownTold(store, shop),
      connection ? knownLinkedTemplates(store, connection) : [],
      connection ? knownVerifications(store, connection) : new Map<string, VerificationRecord[]>(),
    ]);
    const rows = { known, locations, details, moves, links, workItems, told, templates, verificationsOf };
    return putTogether(services, rows);
  });
}

/** What many order pages ask at once, mostly for the same few. */
function readSome(services: Needs, { shop, ids }: { shop: string; ids: readonly string[] }) {
  const { store } = services;
  const which = ids.toSorted().join(" ");
  return rememberReading({ store, shop, kind: SOME_ORIGINS, which }, async () => {
    const known = await readTogether({ store, shop, ids }, (all) => readFacts(services, { shop, where: { in: all } }));
    return known && { ...known, origins: known.origins.filter(({ location }) => ids.includes(location.locationId)) };
  });
}

async function readFacts(
  services: NeedsWithin,
  {
    shop,
    where,
    over,
  }: { shop: string; where: string | { in: readonly string[] }; over?: Pick<KnownShop, "connection"> },
): Promise<ShopOrigins | null> {
  const { store } = services;
  const current = await knownShop(services, { shop });
  if (!current) return null;
  const known = { ...current, ...over };
  const { connection } = known;
  const own = { shop, locationId: where };
  const [locations, details, moves, links, workItems, told] = await Promise.all([
    store.locations.list(own, { orderBy: { name: "asc" } }),
    store.details.list(own),
    store.moves.list(own),
    connection ? store.links.list({ ...own, connectionId: connection.id }) : [],
    over ? [] : store.workItems.list({ shop, kind: "location", key: where }),
    over ? [] : store.workItems.list({ shop, key: where, ...PUT_OFF }),
  ]);
  const account = {
    shop,
    connectionId: connection?.id ?? "",
    templateId: { in: links.map(({ templateId }) => templateId) },
  };
  const templates = links.length > 0 ? await store.templates.list(account) : [];
  const verifications = links.length > 0 ? await store.verifications.list(account) : [];
  const verificationsOf = Map.groupBy(verifications, (row) => row.templateId);
  const rows = { known, locations, details, moves, links, workItems, told, templates, verificationsOf };
  return putTogether(services, rows);
}

const NO_TEMPLATE = { behind: false, meantKey: null };

async function putTogether({ clock, settings }: NeedsWithin, rows: Rows): Promise<ShopOrigins> {
  const nowMs = clock.nowMs();
  const { shop, connection } = rows.known;
  const detailsOf = new Map(rows.details.map((row) => [row.locationId, row]));
  const moveOf = new Map(rows.moves.map((row) => [row.locationId, row]));
  const linkOf = new Map(rows.links.map((row) => [row.locationId, row]));
  const workItemOf = new Map(rows.workItems.map((row) => [row.key, row]));
  const told = new Set(rows.told.map(({ key }) => key));
  const templateOf = new Map(rows.templates.map((row) => [row.templateId, row]));
  const origins = await mapInTurns(clock, rows.locations, (location): OriginRecords[] => {
    const link = linkOf.get(location.locationId) ?? null;
    if (location.deletedAtMs !== null && !link) return [];
    const template = link ? (templateOf.get(link.templateId) ?? null) : null;
    const details = detailsOf.get(location.locationId) ?? null;
    // Our last write's answer alone would hide what somebody said there since: no run compares the two for an origin that is put away.
    const seen = template?.template ?? link?.answered ?? null;
    const { policies } = shop;
    const composed = composeOnce({
      address: location.address,
      postal: location.postal,
      defaults: shop.contact,
      details,
    });
    const known = {
      location,
      details,
      policies,
      composed,
      connection,
      nowMs,
      unreadable: connection?.bookUnreadable ?? [],
    };
    const [theirs, emptied] = [template?.template ?? null, template?.emptied ?? null];
    const doubted = isLinkDoubted(link, template);
    const ahead = link ? lookAhead({ ...known, link, theirs, emptied, doubted }) : NO_TEMPLATE;
    return [
      {
        location,
        details,
        policies,
        composed,
        link,
        template,
        move: moveOf.get(location.locationId) ?? null,
        item: workItemOf.get(location.locationId) ?? null,
        verifications: link ? (rows.verificationsOf.get(link.templateId) ?? []) : [],
        connection,
        addressKey: seen ? addressKey(seen.address) : null,
        ...ahead,
        behind: ahead.behind || (link !== null && told.has(location.locationId)),
        words: settings.verificationWords,
        nowMs,
      },
    ];
  });
  return { shop, connection, origins: origins.flat(), nowMs };
}
