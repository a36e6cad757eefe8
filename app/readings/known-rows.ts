import { chunksOf } from "../domain/chunks.ts";
import type {
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  WorkItem,
  TemplateRecord,
  VerificationRecord,
} from "../domain/records.ts";
import type { Store } from "../ports.ts";
import { rememberReading } from "./remember-reading.ts";

/** What nearly every page reads of a shop, each remembered until its own table is written. Shared, so only to be read. */

/** One for all: making a collator for each comparison takes longer than a list. */
const NAMES = new Intl.Collator("es", { numeric: true });

/** How many ids one statement asks for. */
const CHUNK = 500;

/** All locations, departed ones too, by name as a person would sort them. */
export function knownLocations(store: Store, shop: string): Promise<LocationRecord[]> {
  return rememberReading({ store, shop, of: ["locations"], what: "locations" }, async () =>
    (await store.locations.list({ shop })).sort((a, b) => NAMES.compare(a.name, b.name)),
  );
}

export function knownDetails(store: Store, shop: string): Promise<DetailsRecord[]> {
  return rememberReading({ store, shop, of: ["details"], what: "details" }, () => store.details.list({ shop }));
}

export function knownWorkItems(store: Store, shop: string): Promise<WorkItem[]> {
  return rememberReading({ store, shop, of: ["workItems"], what: "location work items" }, () =>
    store.workItems.list({ shop, kind: "location" }),
  );
}

export function knownLinks(store: Store, { shop, id }: ConnectionRecord): Promise<LinkRecord[]> {
  return rememberReading({ store, shop, of: ["links"], what: "links", which: id }, () =>
    store.links.list({ shop, connectionId: id }),
  );
}

export function knownTemplates(store: Store, { shop, id }: ConnectionRecord): Promise<TemplateRecord[]> {
  return rememberReading({ store, shop, of: ["templates"], what: "templates", which: id }, () =>
    store.templates.list({ shop, connectionId: id }),
  );
}

/** What stands for the shop's locations; an account may hold many more. */
export function knownLinkedTemplates(store: Store, connection: ConnectionRecord): Promise<TemplateRecord[]> {
  const { shop, id } = connection;
  return rememberReading({ store, shop, of: ["links", "templates"], what: "linked templates", which: id }, async () => {
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
  return rememberReading({ store, shop, of: ["verifications"], what: "verifications", which: id }, async () =>
    Map.groupBy(await store.verifications.list({ shop, connectionId: id }), (record) => record.templateId),
  );
}
