import { markerIn, markerOf } from "../../../app/domain/marker.ts";
import type { RunningAdmin } from "../../sandbox/admin/server.ts";
import type { SoakShop, SoakWorld } from "../world.ts";
import { gidOf, LATEST_EFFECT_MS } from "../world.ts";

/** What Shopify answered the app about one location, and when. */
export interface Shown {
  shop: string;
  locationId: string;
  atMs: number;
  /** The location exists and is active. */
  active: boolean;
}

/** How old a reading of Shopify may be when the bytes of a deletion leave, and how long these may be under way. */
const READING_HOLDS_MS = 10_000;
const UNDER_WAY_MS = 1_500;
/** A pause that was confirmed this long before a deletion could be seen by the deletion's run. */
const SEEN_AFTER_MS = UNDER_WAY_MS;

/** Records from now on what Shopify answers about single locations. */
export function watchShopify(admin: RunningAdmin): Shown[] {
  const shown: Shown[] = [];
  admin.settings.onAnswer = ({ shop, atMs, variables, data }) => {
    const locationId = variables["id"];
    const { location } = (data ?? {}) as { location?: { isActive: boolean } | null };
    if (typeof locationId !== "string" || location === undefined) return;
    shown.push({ shop, locationId, atMs, active: location?.isActive ?? false });
  };
  return shown;
}

/**
 * Templates that the app deleted by itself without good reason: the location's last reading showed it to exist, no reading was recent, or
 * the origin was paused.
 */
export function needlessDeletes(world: SoakWorld, shown: readonly Shown[]): { templateId: string; text: string }[] {
  const byHand = new Set(
    [...world.drafts.values()].flatMap(({ operation, templateId }) => (operation === "delete" ? [templateId] : [])),
  );
  return world.service.log().flatMap(({ operation, source, templateId, before, atMs, sequence }) => {
    if (operation !== "delete" || source === "person" || byHand.has(templateId)) return [];
    const owner = ownerOf(world, String(before?.alias_name ?? ""));
    if (!owner) return [{ templateId, text: `a template without a location's marker was deleted (write ${sequence})` }];
    const underWayMs = UNDER_WAY_MS + (source === "late" ? LATEST_EFFECT_MS : 0);
    const readings = shown.filter((each) => each.locationId === owner.locationId && each.atMs <= atMs);
    const last = readings.filter((each) => each.atMs >= atMs - underWayMs - READING_HOLDS_MS).at(-1);
    const pausedAtMs = world.pausedSinceMs.get(`${owner.shop.state.domain} ${owner.locationId}`);
    const said = (text: string) => [{ templateId, text: `${owner.locationId}: ${text} (write ${sequence})` }];
    if (!last) return said("deleted without a reading of Shopify in the ten seconds before");
    if (last.active && atMs - last.atMs > underWayMs) return said("deleted though Shopify had shown that it is active");
    if (pausedAtMs !== undefined && atMs - pausedAtMs > SEEN_AFTER_MS + underWayMs)
      return said("deleted while it was paused");
    return [];
  });
}

function ownerOf({ shops }: SoakWorld, alias: string): { shop: SoakShop; locationId: string } | null {
  const marker = markerIn(alias);
  if (marker === null) return null;
  // Locations are numbered across all shops, and a deleted one keeps its number.
  const last = Math.max(...shops.flatMap(({ state }) => [...state.locations.keys()]));
  for (const shop of shops)
    for (let id = last; id > last - 500; id -= 1)
      if (markerOf(shop.state.domain, gidOf(id)) === marker) return { shop, locationId: gidOf(id) };
  return null;
}
