import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { draftFor } from "../../../app/domain/plan/plan.ts";
import { templateWith, valuesOfDraft } from "../../../app/domain/plan/three-way.ts";
import type { Values } from "../../../app/domain/plan/three-way.ts";
import { DEFAULT_POLICIES } from "../../../app/domain/records.ts";
import type {
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  Policies,
  ShopRecord,
  VerificationRecord,
  WorkItem,
  WorkItemReason,
} from "../../../app/domain/records.ts";
import {
  addressTemplate,
  detailsRecord,
  linkRecord,
  locationGid,
  locationRecord,
  SHOP,
  templateRecord,
  verificationRecord,
  workItemRecord,
} from "../../fakes/records.ts";
import { CONTACT, createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** A shop of one location, whose rows are written as they would stand there: what the four views of one origin are read from. */

export const KEY = locationGid(1);

/** What the database holds of an origin, where it is not ready. */
export interface Kept {
  policies?: Partial<Policies>;
  shop?: Partial<ShopRecord>;
  /** Null: the shop never connected. */
  connection?: Partial<ConnectionRecord> | null;
  /** The connection's circuit breaker is open. */
  rests?: boolean;
  location?: Partial<LocationRecord>;
  details?: Partial<DetailsRecord> | null;
  link?: Partial<LinkRecord> | null;
  /** What somebody has written into its template since the last save. */
  there?: Values;
  item?: Partial<WorkItem>;
  /** Shopify has told of a change, and the run that reads it is put off. */
  told?: boolean;
  carriers?: Partial<VerificationRecord>[];
}

export const because = (code: WorkItemReason["code"]) =>
  ({ state: "blocked", reason: { code, message: null, fields: null, requestId: null, atMs: 1 } }) as const;
export const differing = (kind: "drift" | "conflict"): Partial<LinkRecord> => ({
  differences: [{ field: "reference", kind, ours: "A", theirs: "B", base: "A", noticedAtMs: 1 }],
});
export const ASKED = { outcome: "pending", question: "asked", askedAtMs: 1 } as const;

/** What of it is the whole shop's. */
type OfShop = Pick<Kept, "policies" | "shop" | "connection" | "rests">;

/** A shop with one origin. */
export async function worldOf(kept: Kept): Promise<World> {
  return shopOf(kept, [kept]);
}

/** A shop with an origin for each, numbered from one. */
export async function shopOf({ policies, shop, connection, rests }: OfShop, origins: readonly Kept[]): Promise<World> {
  const world = await createWorld({
    environment: "production",
    policies: { carriers: ["fedex"], ...policies },
    connected: connection !== null,
  });
  if (shop) await world.store.shops.update({ shop: SHOP }, shop);
  if (connection) await world.store.connections.update({ shop: SHOP }, connection);
  const resting = { backoffUntilMs: world.clock.nowMs() + 30_000, failures: 3 };
  if (rests) await world.store.connections.update({ shop: SHOP }, resting);
  for (const [index, kept] of origins.entries()) await keep(world, index + 1, kept);
  return world;
}

async function keep(
  { store, clock }: World,
  number: number,
  { location, details, link, there, item, told = false, carriers = [{}] }: Kept,
): Promise<void> {
  const nowMs = clock.nowMs();
  const key = locationGid(number);
  await store.locations.insert(locationRecord({ ...shopifyLocation(number), ...location, shop: SHOP }));
  if (details !== null)
    await store.details.insert(detailsRecord({ locationId: key, confirmedAtMs: nowMs, ...details }));
  const before = locationRecord({ ...shopifyLocation(number), shop: SHOP });
  const { attributes } = composeOrigin({ address: before.address, postal: null, defaults: CONTACT, details: null });
  const draft = draftFor({ location: before, details: null, policies: DEFAULT_POLICIES, link: null }, attributes!);
  const saved = templateWith(addressTemplate({ id: `template-${number}` }), valuesOfDraft(draft));
  const template = templateWith(saved, there ?? {});
  const templateId = template.id;
  if (link !== null) {
    const sent = there ? { sent: draft, answered: saved } : {};
    await store.links.insert(
      linkRecord({ id: `link-${number}`, locationId: key, templateId, syncedAtMs: nowMs, ...sent, ...link }),
    );
    await store.templates.insert(templateRecord({ templateId, template }));
  }
  const work = {
    id: `target-${number}`,
    kind: "location",
    key,
    generation: 1,
    observedGeneration: 1,
    dueAtMs: nowMs,
  } as const;
  await store.workItems.insert(workItemRecord({ ...work, ...item }));
  const putOff = { id: `told-${number}`, kind: "told", key, generation: 2, observedGeneration: 1 } as const;
  if (told) await store.workItems.insert(workItemRecord({ ...putOff, dueAtMs: nowMs + 5_000, pendingSinceMs: nowMs }));
  for (const carrier of carriers)
    await store.verifications.insert(
      verificationRecord({ templateId, carrier: "fedex", outcome: "accepted", addressKey: null, ...carrier }),
    );
}
