import { isLinkDoubted } from "../domain/doubted.ts";
import { draftFor } from "../domain/plan/plan.ts";
import { proposalsFor } from "../domain/plan/proposals.ts";
import { createTemplateIndex, withoutTemplates } from "../domain/template-index.ts";
import type { PlanInput } from "../domain/plan/plan.ts";
import type {
  ConnectionRecord,
  LinkRecord,
  LocationRecord,
  ShopRecord,
  TemplateRecord,
  UnreadableRow,
} from "../domain/records.ts";
import type { Clock, Services, Tables } from "../ports.ts";
import type { Run } from "../runs/run.ts";
import { sendsWhole } from "../book/unnamed-fields.ts";
import { knownBook, knownMarkers } from "../readings/known-rows.ts";
import { composeOnce } from "../readings/compose-once.ts";
import { mapInTurns } from "../runs/in-turns.ts";

/** More templates than this are had sooner by reading the whole book. */
const MOST_ONE_BY_ONE = 500;

/** What a plan for one location is made from, and what must still hold when it is carried out. */
export interface PlanFacts extends PlanInput {
  connection: ConnectionRecord | null;
  shop: ShopRecord;
  template: TemplateRecord | null;
}

/** Those of the location that a run is for; null when it is not known (any more). */
export async function readOwnFacts({ services, item }: Run): Promise<PlanFacts | null> {
  const facts = await readPlanFacts(services, { shop: item.shop, locationIds: [item.key] });
  return facts?.[0] ?? null;
}

/** From the database alone. Without `locationIds`, all the shop's locations; null when the shop is unknown. */
export async function readPlanFacts(
  { clock, store: tables }: Pick<Services, "clock" | "store">,
  { shop: name, locationIds }: { shop: string; locationIds?: string[] },
): Promise<PlanFacts[] | null> {
  const nowMs = clock.nowMs();
  const shop = await tables.shops.find({ shop: name });
  if (!shop) return null;
  const some = locationIds ? { locationId: { in: locationIds } } : {};
  const connection = await tables.connections.find({ shop: name, current: true });
  const locations = await tables.locations.list({ shop: name, ...some });
  const details = byLocation(await tables.details.list({ shop: name, ...some }));
  const links = byLocation(
    connection ? await tables.links.list({ shop: name, connectionId: connection.id, ...some }) : [],
  );
  const book =
    connection && wantsWhole({ locations, links }) ? await knownBook({ clock, store: tables }, connection) : null;
  const templates =
    book?.rows ?? (connection ? await linkedTemplates(tables, connection, links) : new Map<string, TemplateRecord>());
  const kept = connection ? await keptFor(tables, connection, { some, templates }) : new Map<string, LinkRecord>();
  const unread = !connection || connection.bookReadAtMs === null;
  const unreadable = (connection?.bookUnreadable ?? []).map((row) => withKnownName(row, templates));
  const own = new Set([...links.values()].map((link) => link.templateId));
  const notFree = new Set([...own, ...unreadable.flatMap(({ id }) => id ?? [])]);
  const wantsOne = !unread && locations.some(({ locationId }) => !links.has(locationId));
  const free = book && wantsOne ? withoutTemplates(book.index, notFree) : createTemplateIndex();
  const otherMarkers = book?.hasMarkers && wantsOne ? await knownMarkers(tables, name) : new Set<string>();
  const whole = connection !== null && (await sendsWhole(tables, { ref: connection, butOf: null }));
  const facts = await mapInTurns(clock, locations, (location): PlanFacts => {
    const link = links.get(location.locationId) ?? null;
    const known = details.get(location.locationId) ?? null;
    const template = (link && templates.get(link.templateId)) ?? null;
    return {
      shop,
      policies: shop.policies,
      location,
      details: known,
      composed: composeOnce({
        address: location.address,
        postal: location.postal,
        defaults: shop.contact,
        details: known,
      }),
      connection,
      sendWhole: whole,
      link,
      kept: link ? null : (kept.get(location.locationId) ?? null),
      template,
      theirs: template?.template ?? null,
      emptied: template?.emptied ?? null,
      fresh: false,
      doubted: isLinkDoubted(link, template),
      free: link || unread ? null : free,
      otherMarkers,
      unreadable,
      nowMs,
    };
  });
  return connection ? withoutTaken({ clock, tables }, connection, facts) : facts;
}

/** A name that cannot be read now is what it was when it could be. */
function withKnownName(row: UnreadableRow, templates: ReadonlyMap<string, TemplateRecord>): UnreadableRow {
  const known = row.id === null ? undefined : templates.get(row.id);
  return { ...row, name: row.name ?? known?.template.alias_name ?? null };
}

function byLocation<R extends { locationId: string }>(rows: R[]): Map<string, R> {
  return new Map(rows.map((row) => [row.locationId, row]));
}

/** The whole book only where a location without a template may want one of it. */
function wantsWhole({ locations, links }: { locations: LocationRecord[]; links: Map<string, LinkRecord> }): boolean {
  return locations.some(({ locationId }) => !links.has(locationId)) || links.size > MOST_ONE_BY_ONE;
}

async function linkedTemplates(
  tables: Tables,
  { shop, id: connectionId }: ConnectionRecord,
  links: Map<string, LinkRecord>,
): Promise<Map<string, TemplateRecord>> {
  const linked = [...links.values()].map(({ templateId }) => templateId);
  const rows = await tables.templates.list({ shop, connectionId, templateId: { in: linked } });
  return new Map(rows.map((row) => [row.templateId, row]));
}

/** Links of the shop's other client ids whose templates this account shows: the one last in use, where a location has several. */
async function keptFor(
  tables: Tables,
  { shop, environment, id }: ConnectionRecord,
  { some, templates }: { some: { locationId?: { in: string[] } }; templates: ReadonlyMap<string, TemplateRecord> },
): Promise<Map<string, LinkRecord>> {
  const links = await tables.links.list(
    { shop, environment, connectionId: { not: id }, ...some },
    { orderBy: { syncedAtMs: "asc" } },
  );
  return byLocation(links.filter(({ templateId }) => templates.has(templateId)));
}

/** Leaves each unlinked location the templates it may adopt: what a link of any shop holds is nobody else's. */
async function withoutTaken(
  { clock, tables }: { clock: Clock; tables: Tables },
  { environment }: ConnectionRecord,
  facts: PlanFacts[],
): Promise<PlanFacts[]> {
  const candidates = await mapInTurns(clock, facts, (fact) => {
    const { attributes } = fact.composed;
    if (!fact.free || !attributes) return [];
    return proposalsFor(fact, draftFor(fact, attributes)).map(({ template }) => template);
  });
  const ids = [...new Set(candidates.flat().map(({ id }) => id))];
  const links = ids.length > 0 ? await tables.links.list({ environment, templateId: { in: ids } }) : [];
  const taken = new Set(links.map(({ templateId }) => templateId));
  return mapInTurns(clock, facts, (fact, index) =>
    fact.free ? { ...fact, free: createTemplateIndex(candidates[index]!.filter(({ id }) => !taken.has(id))) } : fact,
  );
}
