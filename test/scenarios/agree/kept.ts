import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { draftFor } from "../../../app/domain/plan/plan.ts";
import { templateWith, valuesOfDraft } from "../../../app/domain/plan/three-way.ts";
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
  item?: Partial<WorkItem>;
  carriers?: Partial<VerificationRecord>[];
}

export const because = (code: WorkItemReason["code"]) =>
  ({ state: "blocked", reason: { code, message: null, fields: null, requestId: null, atMs: 1 } }) as const;
export const differing = (kind: "drift" | "conflict"): Partial<LinkRecord> => ({
  differences: [{ field: "reference", kind, ours: "A", theirs: "B", base: "A", noticedAtMs: 1 }],
});
export const ASKED = { outcome: "pending", question: "asked", askedAtMs: 1 } as const;

export async function worldOf({
  policies,
  shop,
  connection,
  rests,
  location,
  details,
  link,
  item,
  carriers = [{}],
}: Kept): Promise<World> {
  const world = await createWorld({
    policies: { carriers: ["fedex"], ...policies },
    connected: connection !== null,
  });
  if (shop) await world.store.shops.update({ shop: SHOP }, shop);
  if (connection) await world.store.connections.update({ shop: SHOP }, connection);
  const resting = { backoffUntilMs: world.clock.nowMs() + 30_000, failures: 3 };
  if (rests) await world.store.connections.update({ shop: SHOP }, resting);
  const nowMs = world.clock.nowMs();
  const record = locationRecord({ ...shopifyLocation(1), ...location, shop: SHOP });
  await world.store.locations.insert(record);
  if (details !== null)
    await world.store.details.insert(detailsRecord({ locationId: KEY, confirmedAtMs: nowMs, ...details }));
  const before = locationRecord({ ...shopifyLocation(1), shop: SHOP });
  const { attributes } = composeOrigin({ address: before.address, postal: null, defaults: CONTACT, details: null });
  const draft = draftFor({ location: before, policies: DEFAULT_POLICIES, link: null }, attributes!);
  const template = templateWith(addressTemplate({ id: "template-1" }), valuesOfDraft(draft));
  const templateId = template.id;
  if (link !== null) {
    await world.store.links.insert(linkRecord({ locationId: KEY, templateId, syncedAtMs: nowMs, ...link }));
    await world.store.templates.insert(templateRecord({ templateId, template }));
  }
  const work = { kind: "location", key: KEY, generation: 1, observedGeneration: 1, dueAtMs: nowMs } as const;
  await world.store.workItems.insert(workItemRecord({ ...work, ...item }));
  for (const carrier of carriers)
    await world.store.verifications.insert(
      verificationRecord({ templateId, carrier: "fedex", outcome: "accepted", addressKey: null, ...carrier }),
    );
  return world;
}
