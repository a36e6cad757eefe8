import { canonicalAddress } from "../domain/address-compare.ts";
import { composeOnce } from "./compose-once.ts";
import { knownShop } from "./known-shop.ts";
import { knownVerifications } from "./known-verifications.ts";
import { rememberReading } from "./remember-reading.ts";
import { readTogether } from "./read-together.ts";
import { remembered } from "../domain/remembered.ts";
import type { OriginFacts } from "../domain/origin-state.ts";
import type {
  ConnectionRecord,
  LinkRecord,
  ShopRecord,
  TemplateRecord,
  VerificationRecord,
} from "../domain/records.ts";
import type { Services } from "../ports.ts";

/** Of a thousand locations nearly all are as they were at the page before. */
const REMEMBERED = 4_000;
/** Of the few locations that orders leave from; many orders leave from the same. */
const KEPT_SETS = 500;
const addressKey = remembered(canonicalAddress, REMEMBERED);

export interface OriginRecords extends OriginFacts {
  link: LinkRecord | null;
  /** The linked template as last seen in the account; not read for a whole list, where the link's own answer must do. */
  template: TemplateRecord | null;
}

export interface ShopOrigins {
  shop: ShopRecord;
  connection: ConnectionRecord | null;
  origins: OriginRecords[];
  nowMs: number;
}

/**
 * All that is known of the shop's locations, of some or of one, put together from the database alone. A location that Shopify no longer
 * has is left out unless a template still stands for it. Null when the shop is unknown. Of all and of some it is shared, so only to be read.
 */
export async function readOriginFacts(
  services: Pick<Services, "store" | "clock">,
  { shop, locationId }: { shop: string; locationId?: string | readonly string[] },
): Promise<ShopOrigins | null> {
  if (typeof locationId === "string") return readFacts(services, { shop, locationId });
  const { clock } = services;
  const known = await (locationId ? readSome(services, { shop, ids: locationId }) : readAll(services, { shop }));
  if (!known) return null;
  const nowMs = clock.nowMs();
  return { ...known, origins: known.origins.map((origin) => ({ ...origin, nowMs })), nowMs };
}

function readAll(services: Pick<Services, "store" | "clock">, { shop }: { shop: string }) {
  return rememberReading({ store: services.store, shop, what: "origins" }, () => readFacts(services, { shop }));
}

/** What many order pages ask at once, mostly for the same few. */
function readSome(
  services: Pick<Services, "store" | "clock">,
  { shop, ids }: { shop: string; ids: readonly string[] },
) {
  const { store } = services;
  const which = ids.toSorted().join(" ");
  return rememberReading({ store, shop, what: "some origins", which, keep: KEPT_SETS }, async () => {
    const known = await readTogether({ store, shop, ids }, (locationId) => readFacts(services, { shop, locationId }));
    return known && { ...known, origins: known.origins.filter(({ location }) => ids.includes(location.locationId)) };
  });
}

async function readFacts(
  services: Pick<Services, "store" | "clock">,
  { shop, locationId }: { shop: string; locationId?: string | readonly string[] },
): Promise<ShopOrigins | null> {
  const { store } = services;
  const wanted = typeof locationId === "object" ? { in: locationId } : locationId;
  const one = wanted === undefined ? {} : { locationId: wanted };
  const known = await knownShop(services, { shop });
  if (!known) return null;
  const { shop: record, connection } = known;
  const [locations, details, links, targets] = await Promise.all([
    store.locations.list({ shop, ...one }, { orderBy: { name: "asc" } }),
    store.details.list({ shop, ...one }),
    connection ? store.links.list({ shop, connectionId: connection.id, ...one }) : [],
    store.targets.list({ shop, kind: "location", ...(wanted === undefined ? {} : { key: wanted }) }),
  ]);
  const templateIds = links.map((link) => link.templateId);
  const templates =
    connection && wanted !== undefined && links.length > 0
      ? await store.templates.list({ shop, connectionId: connection.id, templateId: { in: templateIds } })
      : [];
  const verificationsOf =
    connection && links.length > 0
      ? await verificationsFor(services, {
          shop,
          connectionId: connection.id,
          templateIds: wanted === undefined ? null : templateIds,
        })
      : new Map<string, VerificationRecord[]>();
  const nowMs = services.clock.nowMs();
  const detailsOf = new Map(details.map((row) => [row.locationId, row]));
  const linkOf = new Map(links.map((row) => [row.locationId, row]));
  const targetOf = new Map(targets.map((row) => [row.key, row]));
  const templateOf = new Map(templates.map((row) => [row.templateId, row]));
  const origins = locations.flatMap((location): OriginRecords[] => {
    const link = linkOf.get(location.locationId) ?? null;
    if (location.deletedAtMs !== null && !link) return [];
    const template = link ? (templateOf.get(link.templateId) ?? null) : null;
    const own = detailsOf.get(location.locationId) ?? null;
    const seen = template?.template ?? link?.answered ?? null;
    return [
      {
        location,
        details: own,
        policies: record.policies,
        composed: composeOnce({ address: location.address, defaults: record.contact, details: own }),
        link,
        template,
        target: targetOf.get(location.locationId) ?? null,
        verifications: link ? (verificationsOf.get(link.templateId) ?? []) : [],
        connection,
        addressKey: seen ? addressKey(seen.address) : null,
        nowMs,
      },
    ];
  });
  return { shop: record, connection, origins, nowMs };
}

/** Of some templates as they are, of all as they are known. */
async function verificationsFor(
  services: Pick<Services, "store" | "clock">,
  { shop, connectionId, templateIds }: { shop: string; connectionId: string; templateIds: string[] | null },
): Promise<Map<string, VerificationRecord[]>> {
  const where = { shop, connectionId };
  if (templateIds === null) return knownVerifications(services, where);
  const rows = await services.store.verifications.list({ ...where, templateId: { in: templateIds } });
  return Map.groupBy(rows, (row) => row.templateId);
}
