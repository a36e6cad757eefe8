// The bodies of Shopify's webhooks, in the shape of its REST resources.
import type { LocationRecord, ShopState } from "./state.ts";
import { countryName } from "./provinces.ts";

export function locationPayload(location: LocationRecord): Record<string, unknown> {
  const { address } = location;
  return {
    id: location.id,
    name: location.name,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    zip: address.zip,
    province: address.province,
    country: address.countryCode,
    phone: address.phone,
    created_at: new Date(location.createdAtMs).toISOString(),
    updated_at: new Date(location.updatedAtMs).toISOString(),
    country_code: address.countryCode,
    country_name: countryName(address.countryCode),
    province_code: address.provinceCode,
    legacy: location.isFulfillmentService,
    active: location.isActive,
    admin_graphql_api_id: `gid://shopify/Location/${location.id}`,
    localized_country_name: countryName(address.countryCode),
    localized_province_name: address.province,
  };
}

export function shopPayload(shop: ShopState): Record<string, unknown> {
  return {
    id: shop.id,
    name: shop.name,
    email: shop.email,
    domain: shop.domain,
    myshopify_domain: shop.domain,
    country_code: "MX",
    currency: "MXN",
    iana_timezone: shop.ianaTimezone,
    plan_name: "partner_test",
  };
}

export function scopesPayload(shop: ShopState, previous: string[], current: string[]): Record<string, unknown> {
  return { id: shop.id, previous, current, updated_at: new Date().toISOString() };
}

/** The bodies of the three compliance webhooks for a store, of which only the last erases anything here. */
export function compliancePayload(shop: ShopState, topic: string): Record<string, unknown> {
  const store = { shop_id: shop.id, shop_domain: shop.domain };
  if (topic === "shop/redact") return store;
  const customer = { id: 191167, email: "cliente@example.com", phone: "+525555536266" };
  if (topic === "customers/redact") return { ...store, customer, orders_to_redact: [] };
  return { ...store, customer, orders_requested: [], data_request: { id: 9999 } };
}
