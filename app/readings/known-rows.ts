import { chunksOf } from "../domain/chunks.ts";
import type {
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  MoveRecord,
  WorkItem,
  TemplateRecord,
  VerificationRecord,
} from "../domain/records.ts";
import { markerIn, markerOf } from "../domain/marker.ts";
import type { TemplateIndex } from "../domain/template-index.ts";
import type { Services, Store } from "../ports.ts";
import { indexInTurns } from "../runs/in-turns.ts";
import { PUT_OFF } from "../runs/put-off.ts";
import { readingOf, rememberReading } from "./remember-reading.ts";

/** What nearly every page reads of a shop, each remembered until its own table is written. Shared, so only to be read. */

/** One for all: making a collator for each comparison takes longer than a list. */
const NAMES = new Intl.Collator("es", { numeric: true });

const LOCATIONS = readingOf("locations");
const DETAILS = readingOf("details");
const MOVES = readingOf("moves");
const LOCATION_WORK_ITEMS = readingOf("workItems");
const TOLD = readingOf("workItems");
const LINKS = readingOf("links");
const TEMPLATES = readingOf("templates");
const BOOK = readingOf("templates");
const LIVING_MARKERS = readingOf("locations", "details", "moves");
const LINKED_IDS = readingOf("links");
const LINKED_TEMPLATES = readingOf("links", "templates");
const VERIFICATIONS = readingOf("verifications");

/** How many ids one statement asks for. */
const CHUNK = 500;

/** All locations, departed ones too, by name as a person would sort them. */
export function knownLocations(store: Store, shop: string): Promise<LocationRecord[]> {
  return rememberReading({ store, shop, kind: LOCATIONS }, async () =>
    (await store.locations.list({ shop })).sort((a, b) => NAMES.compare(a.name, b.name)),
  );
}

export function knownDetails(store: Store, shop: string): Promise<DetailsRecord[]> {
  return rememberReading({ store, shop, kind: DETAILS }, () => store.details.list({ shop }));
}

/** The few of the shop's locations that are to move, or have moved. */
export function knownMoves(store: Store, shop: string): Promise<MoveRecord[]> {
  return rememberReading({ store, shop, kind: MOVES }, () => store.moves.list({ shop }));
}

export function knownWorkItems(store: Store, shop: string): Promise<WorkItem[]> {
  return rememberReading({ store, shop, kind: LOCATION_WORK_ITEMS }, () =>
    store.workItems.list({ shop, kind: "location" }),
  );
}

/** The locations of which Shopify has told a change that no run was asked to read yet (`app/runs/put-off.ts`): a few at a time. */
export function knownTold(store: Store, shop: string): Promise<WorkItem[]> {
  return rememberReading({ store, shop, kind: TOLD }, () => store.workItems.list({ shop, ...PUT_OFF }));
}

export function knownLinks(store: Store, { shop, id }: ConnectionRecord): Promise<LinkRecord[]> {
  return rememberReading({ store, shop, kind: LINKS, which: id }, () => store.links.list({ shop, connectionId: id }));
}

export function knownTemplates(store: Store, { shop, id }: ConnectionRecord): Promise<TemplateRecord[]> {
  return rememberReading({ store, shop, kind: TEMPLATES, which: id }, () =>
    store.templates.list({ shop, connectionId: id }),
  );
}

/** A whole book, and what to look for in it. */
export interface KnownBook {
  rows: ReadonlyMap<string, TemplateRecord>;
  index: TemplateIndex;
  /** Whether the alias of any template has a marker. */
  hasMarkers: boolean;
}

/** The book as last seen, worked through once for each state of it: an account may have thousands of templates. */
export function knownBook(
  { store, clock }: Pick<Services, "store" | "clock">,
  connection: ConnectionRecord,
): Promise<KnownBook> {
  const { shop, id } = connection;
  return rememberReading({ store, shop, kind: BOOK, which: id }, async () => {
    const rows = await knownTemplates(store, connection);
    return {
      rows: new Map(rows.map((row) => [row.templateId, row])),
      index: await indexInTurns(
        clock,
        rows.map(({ template }) => template),
      ),
      hasMarkers: rows.some(({ template }) => markerIn(template.alias_name) !== null),
    };
  });
}

/** The markers of the locations that Shopify still has, and of the addresses that they move to. */
export function knownMarkers(store: Store, shop: string): Promise<ReadonlySet<string>> {
  return rememberReading({ store, shop, kind: LIVING_MARKERS }, async () => {
    const living = (await knownLocations(store, shop)).filter(({ deletedAtMs }) => deletedAtMs === null);
    const own = living.map(({ locationId }) => markerOf(shop, locationId));
    const ids = new Set(living.map(({ locationId }) => locationId));
    const moved = [...(await knownDetails(store, shop)), ...(await knownMoves(store, shop))];
    const others = moved.filter(({ locationId, marker }) => marker !== null && ids.has(locationId));
    return new Set([...own, ...others.flatMap(({ marker }) => marker ?? [])]);
  });
}

/** The ids of all templates that stand for the shop's locations in the connection's environment, whichever client id saw them. */
export function knownLinkedIds(store: Store, { shop, environment }: ConnectionRecord): Promise<ReadonlySet<string>> {
  return rememberReading(
    { store, shop, kind: LINKED_IDS, which: environment },
    async () => new Set((await store.links.list({ shop, environment })).map(({ templateId }) => templateId)),
  );
}

/** What stands for the shop's locations; an account may hold many more. */
export function knownLinkedTemplates(store: Store, connection: ConnectionRecord): Promise<TemplateRecord[]> {
  const { shop, id } = connection;
  return rememberReading({ store, shop, kind: LINKED_TEMPLATES, which: id }, async () => {
    const templateIds = (await knownLinks(store, connection)).map(({ templateId }) => templateId);
    const chunks = chunksOf(templateIds, CHUNK).map((some) =>
      store.templates.list({ shop, connectionId: id, templateId: { in: some } }),
    );
    return (await Promise.all(chunks)).flat();
  });
}

/** By template. */
export function knownVerifications(
  store: Store,
  { shop, id }: ConnectionRecord,
): Promise<Map<string, VerificationRecord[]>> {
  return rememberReading({ store, shop, kind: VERIFICATIONS, which: id }, async () =>
    Map.groupBy(await store.verifications.list({ shop, connectionId: id }), (record) => record.templateId),
  );
}
