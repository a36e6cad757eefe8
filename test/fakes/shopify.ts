import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../app/domain/errors.ts";
import type { FaultKind } from "../../app/domain/errors.ts";
import type { Clock, ShopifyAdmin, ShopifyLocation, ShopStanding } from "../../app/ports.ts";

/** An event as Flow got it. */
export interface TakenEvent {
  shop: string;
  trigger: string;
  id: string;
  fields: Record<string, string>;
}

/** Shopify as the app reads it: shops, their locations, whether the app is installed. */
export interface FakeShopify extends ShopifyAdmin {
  /** Makes or replaces a location. Its time is that of the change. */
  put(shop: string, location: ShopifyLocation): void;
  remove(shop: string, locationId: string): void;
  /** For worlds that last: afterwards no answer can show what a location was before. */
  forgetPast(): void;
  known(shop: string, locationId: string): ShopifyLocation | null;
  all(shop: string): ShopifyLocation[];
  /** The locations as answers show them: see `standsAt`. */
  shown(shop: string): ShopifyLocation[];
  /** From when the state is that answers show of a location that is there: a replica stands still there. Null where they show what is true. */
  standsAt: (shop: string, locationId: string) => number | null;
  uninstall(shop: string): void;
  install(shop: string): void;
  /** A shop that has not paid: nothing may be read of it, and the app stays installed. */
  freeze(shop: string, frozen: boolean): void;
  /** Whether there is a session of the shop. Without one nothing can be read, and nothing is proved. */
  holdSession(shop: string, held: boolean): void;
  isInstalled(shop: string): boolean;
  isFrozen(shop: string): boolean;
  /** The number of calls, by name. */
  readonly calls: Record<"locations" | "location" | "shopDetails" | "standing" | "grantedScopes" | "tellFlow", number>;
  /** What Flow has taken, in order. */
  readonly flow: TakenEvent[];
  /** Whether Flow refuses an event for good. */
  flowRefuses: (event: TakenEvent) => boolean;
  /** What Flow answers to an event. */
  takeEvent(event: TakenEvent): { kind: "taken" } | { kind: "refused"; message: string };
  /** Called before every answer: how long it takes, and whether it fails. */
  trouble: () => { delayMs: number; fails: boolean };
}

export function createFakeShopify(clock: Pick<Clock, "sleep" | "nowMs">): FakeShopify {
  const shops = new Map<string, Map<string, ShopifyLocation>>();
  /** What each location has been, in order, by shop and id. */
  const pasts = new Map<string, ShopifyLocation[]>();
  const gone = new Set<string>();
  const frozen = new Set<string>();
  const sessionless = new Set<string>();
  const of = (shop: string) => {
    const locations = shops.get(shop) ?? new Map<string, ShopifyLocation>();
    shops.set(shop, locations);
    return locations;
  };
  /** It changed now, unless it is as it was. */
  const dated = (location: ShopifyLocation, before: ShopifyLocation | undefined): ShopifyLocation => {
    const same = before && { ...location, shopifyAtMs: before.shopifyAtMs };
    if (same && isDeepStrictEqual(same, before)) return before;
    return structuredClone({ ...location, shopifyAtMs: clock.nowMs() });
  };
  const shownOf = (shop: string, location: ShopifyLocation): ShopifyLocation => {
    const atMs = fake.standsAt(shop, location.locationId);
    if (atMs === null) return location;
    const past = pasts.get(`${shop} ${location.locationId}`)!;
    return past.findLast(({ shopifyAtMs }) => shopifyAtMs <= atMs) ?? location;
  };
  const calls: FakeShopify["calls"] = {
    locations: 0,
    location: 0,
    shopDetails: 0,
    standing: 0,
    grantedScopes: 0,
    tellFlow: 0,
  };

  /** Shopify reads its state when it looks, not when its answer arrives. */
  async function answer<T>(name: keyof FakeShopify["calls"], look: () => T): Promise<T> {
    calls[name] += 1;
    const { delayMs, fails } = fake.trouble();
    const seen = look();
    if (delayMs > 0) await clock.sleep(delayMs);
    if (fails) throw new AppError({ kind: "shopify_unavailable", message: "Shopify did not answer", effect: "none" });
    return seen;
  }

  /** The fault of a shop that does not let us in; null otherwise. */
  const faultOf = (shop: string): { kind: FaultKind; status: number | null } | null => {
    if (sessionless.has(shop)) return { kind: "shopify_session", status: null };
    if (frozen.has(shop)) return { kind: "shopify_frozen", status: 402 };
    return gone.has(shop) ? { kind: "shopify_refused", status: 401 } : null;
  };

  const admitted = (shop: string) => {
    const fault = faultOf(shop);
    if (fault) throw new AppError({ ...fault, message: `Shopify: ${fault.kind}`, effect: "none" });
  };

  const standingOf = (shop: string): ShopStanding => {
    const fault = faultOf(shop);
    if (fault?.kind === "shopify_session") return { kind: "unclear", why: "no_session", message: "no session" };
    if (fault?.kind === "shopify_frozen") return { kind: "frozen" };
    return { kind: fault ? "refused" : "installed" };
  };

  const fake: FakeShopify = {
    calls,
    flow: [],
    flowRefuses: () => false,
    takeEvent(event) {
      if (fake.flowRefuses(event)) return { kind: "refused", message: "Flow does not take it" };
      fake.flow.push(structuredClone(event));
      return { kind: "taken" };
    },
    trouble: () => ({ delayMs: 0, fails: false }),
    standsAt: () => null,
    put(shop, location) {
      const { locationId } = location;
      const now = dated(location, of(shop).get(locationId));
      of(shop).set(locationId, now);
      const key = `${shop} ${locationId}`;
      pasts.set(key, [...(pasts.get(key) ?? []), now]);
    },
    remove: (shop, locationId) => void of(shop).delete(locationId),
    forgetPast() {
      for (const [key, past] of pasts) pasts.set(key, past.slice(-1));
    },
    known: (shop, locationId) => of(shop).get(locationId) ?? null,
    all: (shop) => [...of(shop).values()],
    shown: (shop) => fake.all(shop).map((location) => shownOf(shop, location)),
    uninstall: (shop) => void gone.add(shop),
    install: (shop) => void gone.delete(shop),
    freeze: (shop, isFrozen) => void (isFrozen ? frozen.add(shop) : frozen.delete(shop)),
    holdSession: (shop, held) => void (held ? sessionless.delete(shop) : sessionless.add(shop)),
    isInstalled: (shop) => !gone.has(shop),
    isFrozen: (shop) => frozen.has(shop),
    locations: (shop) =>
      answer("locations", () => {
        admitted(shop);
        return structuredClone(fake.shown(shop));
      }),
    location: (shop, locationId) =>
      answer("location", () => {
        admitted(shop);
        return structuredClone(fake.shown(shop).find((each) => each.locationId === locationId) ?? null);
      }),
    shopDetails: (shop) =>
      answer("shopDetails", () => {
        admitted(shop);
        return { timeZone: "America/Mexico_City", email: null };
      }),
    standing: (shop) =>
      answer("standing", () => standingOf(shop)).catch((error: Error) => ({
        kind: "unclear",
        why: "unavailable",
        message: error.message,
      })),
    grantedScopes: (shop) =>
      answer("grantedScopes", () => {
        admitted(shop);
        return ["read_locations"];
      }),
    tellFlow: (shop, event) =>
      answer("tellFlow", () => {
        admitted(shop);
        const { id, trigger, fields } = event;
        return fake.takeEvent({ shop, trigger, id, fields });
      }),
  };
  return fake;
}
