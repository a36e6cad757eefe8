import { templateLines } from "../domain/address/lines.ts";
import { bookFailure } from "../domain/book-failure.ts";
import { keepsFailing } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { markerIn, withoutMarker } from "../domain/marker.ts";
import { versionOf } from "../domain/plan/template-version.ts";
import { carrierStandings } from "../domain/verification/carrier-standing.ts";
import type { StandingFacts } from "../domain/verification/carrier-standing.ts";
import { meaningOf } from "../domain/verification/verification.ts";
import type {
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  MoveRecord,
  TemplateRecord,
} from "../domain/records.ts";
import { canonicalAddress } from "../domain/address/compare.ts";
import { holdsWords } from "../domain/search-text.ts";
import type { Services, Store } from "../ports.ts";
import type { FailureView } from "../views/failure.ts";
import { failureOf } from "../views/failure-of.ts";
import { summaryOfConnection } from "../views/connection-summary.ts";
import { knownDetails, knownLocations, knownTemplates } from "../readings/known-rows.ts";
import { knownShop } from "../readings/known-shop.ts";
import { readingOf, rememberReading } from "../readings/remember-reading.ts";
import { unreadableOf, unreadableRows } from "../readings/unreadable-rows.ts";
import type { BookQuery, BookRowView, BookTab, BookView, TemplateOwnership } from "../views/address-book.ts";
import { BOOK_TABS } from "../views/address-book.ts";

const BOOK_RECORDS = readingOf("templates", "links", "locations", "moves", "details");

const PAGE_SIZE = 25;
/** One for all: making a collator for each comparison takes longer than the list. */
const ALIASES = new Intl.Collator("es", { numeric: true });

export interface BookRecords {
  template: TemplateRecord;
  ownership: TemplateOwnership;
  location: LocationRecord | null;
}

/** The account's templates as last seen: filtered, by alias, one page. Null when the shop is unknown. */
export async function readAddressBook(
  services: Services,
  { shop, query }: { shop: string; query: BookQuery },
): Promise<BookView | null> {
  const { store, clock } = services;
  const known = await knownShop(services, { shop });
  if (!known) return null;
  const { shop: record, connection } = known;
  const all = connection ? await readBookRecords(services, connection) : [];
  const found = all.filter((one) => matches(one, query));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, query.page), pages);
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const templateId = { in: shown.map(({ template }) => template.templateId) };
  const verifications = connection
    ? await store.verifications.list({ shop, connectionId: connection.id, templateId })
    : [];
  const words = services.settings.verificationWords;
  const said = { verifications, policies: record.policies, words, connection };
  return {
    query: { ...query, page },
    rows: shown.map((one) => ({
      ...rowOf(one, said),
      unreadable: connection !== null && unreadableOf(connection, one.template.templateId) !== null,
    })),
    counts: countTabs(all),
    total: found.length,
    pages,
    unreadable: connection ? await unreadableRows(store, connection) : [],
    failure: connection ? await failureOfBook(services, connection) : null,
    connection: summaryOfConnection(connection),
    bookReadAtMs: connection?.bookReadAtMs ?? null,
    nowMs: clock.nowMs(),
  };
}

async function failureOfBook({ store, clock }: Services, connection: ConnectionRecord): Promise<FailureView | null> {
  const look = await store.workItems.find({ shop: connection.shop, kind: "reconcile", key: "shop" });
  const failure = bookFailure(look, connection);
  if (!look || !failure) return null;
  return failure.code === "book_too_long" || keepsFailing(look, clock.nowMs()) ? failureOf(look) : null;
}

/** By alias. */
async function readBookRecords(
  { store }: Pick<Services, "store">,
  connection: ConnectionRecord,
): Promise<BookRecords[]> {
  const { id: connectionId, shop, environment } = connection;
  const known = await rememberReading({ store, shop, kind: BOOK_RECORDS, which: connectionId }, async () => {
    const [templates, links, locations, moves, details] = await Promise.all([
      knownTemplates(store, connection),
      store.links.list({ shop, environment }),
      knownLocations(store, shop),
      store.moves.list({ shop, connectionId }),
      knownDetails(store, shop),
    ]);
    return byAlias(recordsOf({ templates, links, locations, moves, details }));
  });
  return markElsewhere(store, { connection, records: known });
}

function byAlias(records: BookRecords[]): BookRecords[] {
  const named = records.map((record) => ({ record, alias: aliasOf(record) }));
  return named.sort((a, b) => ALIASES.compare(a.alias, b.alias)).map(({ record }) => record);
}

/** Whose a template is. Of another shop's link a page says only that it exists. */
export async function readOwnership(
  { store }: Pick<Services, "store">,
  { connection, template }: { connection: ConnectionRecord; template: TemplateRecord },
): Promise<BookRecords> {
  const { shop, environment } = connection;
  const links = await store.links.list({ shop, environment, templateId: template.templateId });
  const locationId = { in: links.map((link) => link.locationId) };
  const locations = links.length > 0 ? await store.locations.list({ shop, locationId }) : [];
  const moves = await store.moves.list({ shop, connectionId: connection.id });
  const records = recordsOf({
    templates: [template],
    links,
    locations,
    moves,
    details: await knownDetails(store, shop),
  });
  return (await markElsewhere(store, { connection, records }))[0]!;
}

/** `links` are the shop's own. */
function recordsOf(rows: {
  templates: TemplateRecord[];
  links: LinkRecord[];
  locations: LocationRecord[];
  moves: MoveRecord[];
  details: DetailsRecord[];
}): BookRecords[] {
  const linkOf = new Map(rows.links.map((link) => [link.templateId, link]));
  const locationOf = new Map(rows.locations.map((location) => [location.locationId, location]));
  return rows.templates.map((template) => {
    const link = linkOf.get(template.templateId);
    if (link) return { template, ownership: "linked", location: locationOf.get(link.locationId) ?? null };
    const ofNobody = markerIn(template.template.alias_name) ? "orphan" : "by_hand";
    return { template, ownership: roleIn(rows, template) ?? ofNobody, location: null };
  });
}

/** What a template without a link is to a location that moves. */
function roleIn(
  { moves, details }: { moves: MoveRecord[]; details: DetailsRecord[] },
  { connectionId, templateId }: TemplateRecord,
): "coming" | "former" | null {
  for (const move of moves) {
    if (move.state === "coming" && move.templateId === templateId) return "coming";
    if (move.state === "passed" && move.keepFormer && move.formerTemplateId === templateId) return "former";
  }
  const isFormer = (one: DetailsRecord["formerTemplates"][number]) =>
    one.templateId === templateId && one.connectionId === connectionId;
  return details.some(({ formerTemplates }) => formerTemplates.some(isFormer)) ? "former" : null;
}

/** Asked each time: another shop's links change without a word to this one. */
async function markElsewhere(
  store: Store,
  { connection, records }: { connection: ConnectionRecord; records: BookRecords[] },
): Promise<BookRecords[]> {
  const { shop, environment } = connection;
  const ids = records.filter(({ ownership }) => ownership !== "linked").map(({ template }) => template.templateId);
  if (ids.length === 0) return records;
  const links = await store.links.list({ environment, shop: { not: shop }, templateId: { in: ids } });
  const elsewhere = new Set(links.map(({ templateId }) => templateId));
  return records.map((one) => (elsewhere.has(one.template.templateId) ? { ...one, ownership: "elsewhere" } : one));
}

function matches({ template, ownership, location }: BookRecords, { tab, search }: BookQuery): boolean {
  if (tab !== "all" && tabOf(ownership) !== tab) return false;
  if (search.trim() === "") return true;
  const { alias_name, address } = template.template;
  return holdsWords(
    [alias_name, address.name, address.company, ...templateLines(address), location?.name].join(" "),
    search,
  );
}

function tabOf(ownership: TemplateOwnership): Exclude<BookTab, "all"> {
  if (ownership === "coming") return "linked";
  return ownership === "elsewhere" || ownership === "former" ? "by_hand" : ownership;
}

function countTabs(all: BookRecords[]): BookView["counts"] {
  const counts = Object.fromEntries(BOOK_TABS.map((tab) => [tab, 0])) as BookView["counts"];
  for (const { ownership } of all) counts[tabOf(ownership)] += 1;
  counts.all = all.length;
  return counts;
}

function aliasOf({ template }: BookRecords): string {
  return withoutMarker(template.template.alias_name);
}

function rowOf(one: BookRecords, said: Parameters<typeof standingsOf>[1]): Omit<BookRowView, "unreadable"> {
  const { template, ownership, location } = one;
  const { address, address_type, default: isDefault } = template.template;
  return {
    templateId: template.templateId,
    version: versionOf(template.template),
    alias: aliasOf(one),
    contactName: address.name,
    address: templateLines(address).join(", "),
    addressType: address_type,
    isDefault: isDefault === true,
    ownership,
    location: location && { legacyId: legacyIdOf(location.locationId), name: location.name },
    standings: standingsOf(template, said).filter(({ outcome }) => outcome !== "not_asked"),
  };
}

/** What is known of a template's carriers: our own records, else what the account shows, told as merely seen. */
export function standingsOf(
  template: TemplateRecord,
  { verifications, ...facts }: Pick<StandingFacts, "verifications" | "policies" | "words" | "connection">,
) {
  const addressKey = canonicalAddress(template.template.address);
  const own = verifications.filter((record) => record.templateId === template.templateId);
  const known = new Set(own.map((record) => record.carrier));
  const seen = template.template.verified_carriers.filter((entry) => !known.has(entry.carrier_name));
  const standings = carrierStandings({ ...facts, verifications: own, addressKey, meantKey: null });
  return [
    ...standings,
    ...seen.map((entry) => ({
      carrier: entry.carrier_name,
      outcome: "seen" as const,
      stale: false,
      question: null,
      status: entry.status,
      meaning: meaningOf(facts.words, entry.status),
      askedAtMs: null,
      changedAtMs: template.readAtMs,
      checkedAtMs: template.readAtMs,
      isUnclear: false,
      chosen: facts.policies.carriers.includes(entry.carrier_name),
    })),
  ];
}
