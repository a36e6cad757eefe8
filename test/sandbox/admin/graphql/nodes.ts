// A store's records as the objects that a query walks. A function among their members is called when a query asks for that member.
import { countryName } from "../provinces.ts";
import type { FulfillmentOrderRecord, LocationAddress, LocationRecord, OrderRecord, ShopState } from "../state.ts";
import { connection } from "./connection.ts";
import type { PageArguments } from "./connection.ts";

export const SIXTY_DAYS_MS = 60 * 24 * 3600 * 1000;

export type Node = Record<string, unknown>;

export function locationNode(location: LocationRecord): Node {
  const { address } = location;
  return {
    __typename: "Location",
    id: `gid://shopify/Location/${location.id}`,
    legacyResourceId: String(location.id),
    name: location.name,
    isActive: location.isActive,
    isFulfillmentService: location.isFulfillmentService,
    isPrimary: false,
    fulfillsOnlineOrders: location.fulfillsOnlineOrders,
    shipsInventory: location.fulfillsOnlineOrders,
    hasActiveInventory: location.isActive,
    hasUnfulfilledOrders: false,
    activatable: !location.isActive,
    deactivatable: location.isActive,
    deletable: !location.isActive,
    addressVerified: false,
    suggestedAddresses: [],
    fulfillmentService: null,
    localPickupSettingsV2: null,
    metafield: null,
    createdAt: new Date(location.createdAtMs).toISOString(),
    updatedAt: new Date(location.updatedAtMs).toISOString(),
    deactivatedAt: location.deactivatedAtMs === null ? null : new Date(location.deactivatedAtMs).toISOString(),
    address: {
      ...address,
      country: countryName(address.countryCode),
      latitude: null,
      longitude: null,
      formatted: formatted(address),
    },
  };
}

export function orderNode(shop: ShopState, order: OrderRecord, scopes: readonly string[]): Node {
  const at = new Date(order.createdAtMs).toISOString();
  return {
    __typename: "Order",
    id: `gid://shopify/Order/${order.id}`,
    legacyResourceId: String(order.id),
    name: `#${order.number}`,
    number: order.number,
    createdAt: at,
    processedAt: at,
    updatedAt: at,
    cancelledAt: null,
    closed: false,
    test: false,
    currencyCode: "MXN",
    requiresShipping: true,
    displayFulfillmentStatus: order.fulfillmentOrders.every((one) => one.status === "CLOSED")
      ? "FULFILLED"
      : "UNFULFILLED",
    displayFinancialStatus: "PAID",
    fulfillmentOrders: (args: PageArguments) =>
      connection({
        records: order.fulfillmentOrders.filter((one) => mayRead(shop, one, scopes)),
        page: args,
        sortValue: (one) => one.id,
        id: (one) => one.id,
        toNode: (one) => fulfillmentOrderNode(shop, order, one, scopes),
      }),
  };
}

export function shopNode(shop: ShopState): Node {
  return {
    __typename: "Shop",
    id: `gid://shopify/Shop/${shop.id}`,
    name: shop.name,
    email: shop.email,
    contactEmail: shop.email,
    shopOwnerName: "Dueña de la tienda",
    myshopifyDomain: shop.domain,
    url: `https://${shop.domain}`,
    currencyCode: "MXN",
    ianaTimezone: shop.ianaTimezone,
    timezoneAbbreviation: "CST",
    timezoneOffset: "-0600",
    timezoneOffsetMinutes: -360,
    unitSystem: "METRIC_SYSTEM",
    weightUnit: "KILOGRAMS",
    setupRequired: false,
    plan: {
      displayName: "Development",
      publicDisplayName: "Development",
      partnerDevelopment: true,
      shopifyPlus: false,
    },
    primaryDomain: {
      id: `gid://shopify/Domain/${shop.id}`,
      host: shop.domain,
      url: `https://${shop.domain}`,
      sslEnabled: true,
    },
  };
}

function fulfillmentOrderNode(
  shop: ShopState,
  order: OrderRecord,
  record: FulfillmentOrderRecord,
  scopes: readonly string[],
): Node {
  const live = shop.locations.get(record.locationId);
  const origin = record.snapshot ?? live ?? null;
  const at = new Date(order.createdAtMs).toISOString();
  return {
    __typename: "FulfillmentOrder",
    id: `gid://shopify/FulfillmentOrder/${record.id}`,
    status: record.status,
    requestStatus: "UNSUBMITTED",
    createdAt: at,
    updatedAt: at,
    orderId: `gid://shopify/Order/${order.id}`,
    orderName: `#${order.number}`,
    orderProcessedAt: at,
    fulfillAt: null,
    fulfillBy: null,
    order: () => orderNode(shop, order, scopes),
    assignedLocation: {
      address1: origin?.address.address1 ?? null,
      address2: origin?.address.address2 ?? null,
      city: origin?.address.city ?? null,
      countryCode: origin?.address.countryCode ?? "MX",
      name: origin?.name ?? "Deleted location",
      phone: origin?.address.phone ?? null,
      province: origin?.address.province ?? null,
      zip: origin?.address.zip ?? null,
      location: live ? locationNode(live) : null,
    },
  };
}

/** Each kind of fulfilment order needs its own scope; an order at another app's service needs the third-party scope. */
function mayRead(shop: ShopState, record: FulfillmentOrderRecord, scopes: readonly string[]): boolean {
  const ofService = shop.locations.get(record.locationId)?.isFulfillmentService ?? false;
  return scopes.includes(
    ofService ? "read_third_party_fulfillment_orders" : "read_merchant_managed_fulfillment_orders",
  );
}

export function formatted(address: LocationAddress): string[] {
  const town = [address.zip, address.city, address.provinceCode].filter(Boolean).join(" ");
  return [address.address1, address.address2, town, countryName(address.countryCode)].filter((line): line is string =>
    Boolean(line),
  );
}
