import { host } from "./host.ts";

/** What Shopify tells of the order: the locations that its parts ship from. The app stores nothing of it. */

/** The same version of Shopify's API as the app's. */
export const API_VERSION = "2026-10";

export const ORDER_LOCATIONS = `query OrigenOrderLocations($id: ID!, $after: String) {
order(id: $id) { fulfillmentOrders(first: 50, after: $after, displayable: true) {
nodes { status assignedLocation { name address1 address2 city zip location { id name address { address1 address2 city zip } } } }
pageInfo { hasNextPage endCursor }
} } }`;

/** A location that ships part of the order. */
export interface Place {
  /** Null: Shopify no longer has the location, only its name. */
  locationId: string | null;
  name: string;
  /** In one line, as in Shopify; the address that the order keeps if the location is gone. */
  address: string;
  /** The address that the order keeps, if the location has another one now. */
  kept: string | null;
}

/** Why nothing can be shown of an order; one plain line on the page for each. */
export type OrderProblem =
  /** The order scopes were not granted yet. */
  | "scope"
  /** Shopify has not approved the app to read orders. */
  | "protected"
  /** An order that apps cannot read: older than 60 days. */
  | "tooOld"
  /** No part of the order ships from a location of the store. */
  | "noOrigin"
  /** Shopify did not answer, or its answer lacked what was asked for. */
  | "shopify";

export type OrderReading = { places: Place[] } | { problem: OrderProblem };

interface Address {
  address1: string | null;
  address2: string | null;
  city: string | null;
  zip: string | null;
}

interface Assigned extends Address {
  name: string;
  location: { id: string; name: string; address: Address } | null;
}

interface Reply {
  data?: {
    order: {
      fulfillmentOrders: {
        nodes: { status: string; assignedLocation: Assigned }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    } | null;
  } | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

export async function readOrder(id: string): Promise<OrderReading> {
  const places = new Map<string, Place>();
  try {
    for (let after: string | null = null; ;) {
      const { data, errors }: Reply = await ask({ id, after });
      if (errors?.length) return { problem: problemOf(errors) };
      if (!data?.order) return { problem: "tooOld" };
      const { nodes, pageInfo } = data.order.fulfillmentOrders;
      for (const { status, assignedLocation } of nodes) {
        if (status === "CANCELLED") continue;
        const place = placeOf(assignedLocation);
        const key = place.locationId ?? place.name;
        if (!places.get(key)?.kept) places.set(key, place);
      }
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
  } catch {
    return { problem: "shopify" };
  }
  return places.size > 0 ? { places: [...places.values()] } : { problem: "noOrigin" };
}

async function ask(variables: object): Promise<Reply> {
  const body = JSON.stringify({ query: ORDER_LOCATIONS, variables });
  const response = await host.fetch(`shopify:admin/api/${API_VERSION}/graphql.json`, { method: "POST", body });
  return (await response.json()) as Reply;
}

function problemOf(errors: NonNullable<Reply["errors"]>): OrderProblem {
  const denied = errors.find(
    ({ message, extensions }) => extensions?.code === "ACCESS_DENIED" || /access denied/i.test(message),
  );
  if (!denied) return "shopify";
  return /not approved|protected/i.test(denied.message) ? "protected" : "scope";
}

function placeOf(assigned: Assigned): Place {
  const { name, location } = assigned;
  const keeps = lineOf(assigned);
  if (!location) return { locationId: null, name, address: keeps, kept: null };
  const address = lineOf(location.address);
  return { locationId: location.id, name: location.name, address, kept: keeps === address ? null : keeps };
}

/** Without Shopify's word joiner between street and number, which means nothing to a reader. */
function lineOf({ address1, address2, city, zip }: Address): string {
  return [address1, address2, city, zip].filter(Boolean).join(", ").replaceAll("\u2060", "");
}
