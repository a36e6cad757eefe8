// What a store's owner does to locations, with the webhooks that Shopify fires for it.
import { randomUUID } from "node:crypto";
import { locationPayload, shopPayload } from "./payloads.ts";
import { provinceName } from "./provinces.ts";
import type { AdminState, LocationAddress, LocationRecord, ShopState } from "./state.ts";
import type { Webhooks } from "./webhooks.ts";

export interface LocationInput {
  name?: string;
  fulfillsOnlineOrders?: boolean;
  isFulfillmentService?: boolean;
  isActive?: boolean;
  address?: Partial<LocationAddress>;
}

export type LocationOutcome = { ok: true; location: LocationRecord } | { ok: false; problem: string };

const EMPTY: LocationAddress = {
  address1: null,
  address2: null,
  city: null,
  provinceCode: null,
  province: null,
  countryCode: "MX",
  zip: null,
  phone: null,
};

export class Locations {
  private readonly state: AdminState;
  private readonly webhooks: Webhooks;

  constructor(state: AdminState, webhooks: Webhooks) {
    this.state = state;
    this.webhooks = webhooks;
  }

  /** Adds a location without a webhook, as one that existed before the app was installed. */
  seed(shop: ShopState, input: LocationInput & { id?: number }): LocationRecord {
    const now = Date.now();
    const id = input.id ?? this.state.nextLocationId;
    this.state.nextLocationId = Math.max(this.state.nextLocationId, id) + 1;
    const location: LocationRecord = {
      id,
      name: input.name ?? "Location",
      isActive: input.isActive ?? true,
      isFulfillmentService: input.isFulfillmentService ?? false,
      fulfillsOnlineOrders: input.fulfillsOnlineOrders ?? true,
      address: withProvince({ ...EMPTY, ...input.address }),
      createdAtMs: now,
      updatedAtMs: now,
      deactivatedAtMs: null,
    };
    shop.locations.set(id, location);
    return location;
  }

  create(shop: ShopState, input: LocationInput): LocationOutcome {
    const problem = this.nameProblem(shop, input.name ?? "", null);
    if (problem) return { ok: false, problem };
    const location = this.seed(shop, input);
    this.webhooks.deliver(shop, "locations/create", locationPayload(location));
    return { ok: true, location };
  }

  change(shop: ShopState, id: number, input: LocationInput): LocationOutcome {
    const location = shop.locations.get(id);
    if (!location) return { ok: false, problem: this.state.words.problems.unknown };
    const problem = input.name === undefined ? null : this.nameProblem(shop, input.name, id);
    if (problem) return { ok: false, problem };
    const { address, ...rest } = input;
    Object.assign(location, rest, { updatedAtMs: Date.now() });
    if (address) location.address = withProvince({ ...location.address, ...address });
    this.webhooks.deliver(shop, "locations/update", locationPayload(location));
    return { ok: true, location };
  }

  setActive(shop: ShopState, id: number, isActive: boolean): LocationOutcome {
    const location = shop.locations.get(id);
    if (!location) return { ok: false, problem: this.state.words.problems.unknown };
    if (location.isActive === isActive) return { ok: true, location };
    location.isActive = isActive;
    location.updatedAtMs = Date.now();
    location.deactivatedAtMs = isActive ? null : Date.now();
    this.webhooks.deliver(shop, isActive ? "locations/activate" : "locations/deactivate", locationPayload(location));
    this.webhooks.deliver(shop, "locations/update", locationPayload(location));
    return { ok: true, location };
  }

  /** Deletes; unless forced only a deactivated location can go, as in Shopify's admin. */
  delete(shop: ShopState, id: number, options: { force?: boolean } = {}): LocationOutcome {
    const location = shop.locations.get(id);
    if (!location) return { ok: false, problem: this.state.words.problems.unknown };
    if (location.isActive && !options.force) return { ok: false, problem: this.state.words.problems.active };
    if (location.isActive) this.setActive(shop, id, false);
    keepInOrders(shop, location);
    shop.locations.delete(id);
    this.webhooks.deliver(shop, "locations/delete", { id });
    return { ok: true, location };
  }

  private nameProblem(shop: ShopState, name: string, ownId: number | null): string | null {
    const { problems } = this.state.words;
    if (name.trim() === "") return problems.nameless;
    const taken = [...shop.locations.values()].some((other) => other.id !== ownId && other.name === name);
    return taken ? problems.nameTaken : null;
  }
}

/** An order keeps the location as it was once work on it has begun, and also when the location is deleted. */
export function keepInOrders(shop: ShopState, location: LocationRecord, only?: readonly string[]): void {
  for (const part of shop.orders.flatMap((order) => order.fulfillmentOrders)) {
    if (part.locationId !== location.id || (only && !only.includes(part.status))) continue;
    part.snapshot ??= { name: location.name, address: location.address };
  }
}

/** The store's owner removes the app: its tokens die, then the webhook goes out. */
export function uninstall(shop: ShopState, webhooks: Webhooks): void {
  shop.installation = null;
  webhooks.deliver(shop, "app/uninstalled", shopPayload(shop));
}

export function install(shop: ShopState): void {
  shop.installation = { id: randomUUID(), grantedOptionalScopes: new Set() };
}

function withProvince(address: LocationAddress): LocationAddress {
  return { ...address, province: provinceName(address.countryCode, address.provinceCode) ?? address.province };
}
