import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { exclusionOf } from "../../../app/domain/origin-state.ts";
import { draftFor } from "../../../app/domain/plan/plan.ts";
import type { DetailsRecord, LinkRecord, ShopifyLocation, WorkItem } from "../../../app/domain/records.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { Field } from "../../../app/domain/plan/three-way.ts";
import type { LocationRecord } from "../../sandbox/admin/state.ts";
import type { AccountTemplate } from "../../sandbox/shipping/control.ts";
import type { SoakShop } from "../world.ts";
import { gidOf } from "../world.ts";
import type { Snapshot } from "./snapshot.ts";

/** One location as Shopify, the app and the service have it. */
export interface Sides {
  shop: SoakShop;
  snapshot: Snapshot;
  locationId: string;
  /** The location in Shopify; undefined once it was deleted there. */
  there: LocationRecord | undefined;
  details: DetailsRecord | undefined;
  link: LinkRecord | undefined;
  workItem: WorkItem | undefined;
  template: AccountTemplate | undefined;
}

/** A location that is not as it should be, while its owner is not told. */
export interface Astray {
  text: string;
  /** The template's field that is wrong; null when the template as a whole is. */
  field: Field | null;
}

export interface Standing {
  sides: Sides;
  astray: Astray[];
}

export function sidesOf(shop: SoakShop, snapshot: Snapshot, templates: ReadonlyMap<string, AccountTemplate>): Sides[] {
  const known = new Set([...shop.state.locations.keys()].map(gidOf));
  for (const { locationId } of snapshot.locations) known.add(locationId);
  return [...known].map((locationId) => {
    const link = snapshot.links.find((each) => each.locationId === locationId);
    return {
      shop,
      snapshot,
      locationId,
      link,
      there: shop.state.locations.get(Number(locationId.split("/").at(-1))),
      details: snapshot.details.find((each) => each.locationId === locationId),
      workItem: snapshot.workItems.find(({ kind, key }) => kind === "location" && key === locationId),
      template: link && templates.get(link.templateId),
    };
  });
}

export function standingOf(sides: Sides): Standing {
  const { there, details, link, workItem: item, template, snapshot, locationId } = sides;
  const found = (...texts: string[]): Standing => ({ sides, astray: texts.map((text) => ({ text, field: null })) });
  const { policies } = snapshot.shop;
  const known = snapshot.locations.find((each) => each.locationId === locationId);
  if (there && known?.name !== there.name) return found(`its name ${there.name} was never read`);
  const location = there && asShopifyTells(there);
  if (!location?.isActive) {
    const rule = location ? policies.onDeactivate : policies.onDelete;
    const stays = !link || rule === "keep" || !policies.syncOn || details?.paused;
    return stays ? found() : found(`it left and its rule is ${rule}, but it is still linked`);
  }
  const record = {
    ...location,
    shop: snapshot.shop.shop,
    postal: null,
    deletedAtMs: null,
    absentSinceMs: null,
    shopifyToldMs: null,
    behindSinceMs: null,
    readAtMs: 0,
  };
  if (exclusionOf({ location: record, details: details ?? null, policies }) !== null) return found();
  if (!details || details.confirmedAtMs === null || details.paused || !policies.syncOn) return found();
  const composed = composeOrigin({ address: location.address, postal: null, defaults: snapshot.shop.contact, details });
  if (!composed.attributes) return found();
  if (!link) return isAsked(item) ? found() : found(`it has no template (${wordsOf(item)})`);
  if (!template) {
    const noticed = link.missingSinceMs !== null && item?.state === "blocked";
    return noticed ? found() : found(`its template ${link.templateId} is gone (${wordsOf(item)})`);
  }
  const ours = valuesOfDraft(draftFor({ location: record, details, policies, link }, composed.attributes));
  const theirs = valuesOfTemplate(template as never);
  const differing = (Object.keys(ours) as Field[]).filter((field) => differs(field, ours[field], theirs[field]));
  const untold = differing.filter((field) => {
    const shown = [...link.differences, ...link.accepted].find((each) => each.field === field);
    return !shown || differs(field, shown.theirs, theirs[field]) || (shown.ours ?? null) !== (ours[field] ?? null);
  });
  return {
    sides,
    astray: untold.map((field) => ({
      field,
      text: `${field} is ${theirs[field]}, not ${ours[field]} (${wordsOf(item)})`,
    })),
  };
}

function isAsked(item: WorkItem | undefined): boolean {
  return item?.state === "blocked" && ["adoption_choice", "template_taken"].includes(item.reason?.code ?? "");
}

export function wordsOf(item: WorkItem | undefined): string {
  if (!item) return "it has no work item";
  const { state, generation, observedGeneration, failures, reason } = item;
  const why = reason ? `, ${reason.code}: ${reason.message}` : "";
  return `${state}, wanted ${generation}, seen ${observedGeneration}, ${failures} failures${why}`;
}

export function asShopifyTells({
  id,
  name,
  isActive,
  isFulfillmentService,
  fulfillsOnlineOrders,
  address,
  updatedAtMs: shopifyAtMs,
}: LocationRecord): ShopifyLocation {
  return { locationId: gidOf(id), name, isActive, isFulfillmentService, fulfillsOnlineOrders, address, shopifyAtMs };
}
