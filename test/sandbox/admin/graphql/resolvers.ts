// The sandbox's answers, field by field. A field that is missing here answers with an error and never with an invented value.
import type { LocationRecord } from "../state.ts";
import { grantedScopes } from "../state.ts";
import type { AdminState, ShopState } from "../state.ts";
import { connection } from "./connection.ts";
import type { PageArguments } from "./connection.ts";
import { locationNode, orderNode, shopNode, SIXTY_DAYS_MS } from "./nodes.ts";
import type { Node } from "./nodes.ts";
import { matchesQuery } from "./search.ts";

export interface ResolverContext {
  state: AdminState;
  shop: ShopState;
  scopes: readonly string[];
  protectedDataApproved: boolean;
  /** Called after the app gave scopes back. */
  onScopesChanged: (shop: ShopState, previous: string[]) => void;
  /** What Shopify Flow says to an event; null where it takes it. */
  takeEvent: (shop: ShopState, handle: string | undefined, payload: unknown) => string | null;
  objectsRead: number;
}

type Resolver = (args: Record<string, unknown>, context: ResolverContext) => unknown;

interface LocationsArguments extends PageArguments {
  includeInactive?: boolean;
  includeLegacy?: boolean;
  query?: string | null;
  sortKey?: "ID" | "NAME" | "RELEVANCE";
}

export const RESOLVERS: Readonly<Record<string, Resolver>> = {
  "QueryRoot.shop": (_args, { shop }) => shopNode(shop),
  "QueryRoot.locations": (args, context) => locations(args, context),
  "QueryRoot.locationsCount": ({ query }, { shop }) => ({
    count: listed(shop, { query: query as string }).length,
    precision: "EXACT",
  }),
  "QueryRoot.location": ({ id }, { shop }) => location(shop, id as string | null),
  "QueryRoot.locationByIdentifier": ({ identifier }, { shop }) =>
    location(shop, (identifier as { id?: string }).id ?? null),
  "QueryRoot.order": ({ id }, context) => order(context, id as string),
  "QueryRoot.orders": (args, context) => orders(args, context),
  "QueryRoot.node": ({ id }, context) => node(context, id as string),
  "QueryRoot.nodes": ({ ids }, context) => (ids as string[]).map((id) => node(context, id)),
  "QueryRoot.app": (_args, context) => app(context),
  "QueryRoot.currentAppInstallation": (_args, context) => installation(context),
  "QueryRoot.publicApiVersions": () => [{ handle: "2026-10", displayName: "2026-10 (Latest)", supported: true }],
  "Mutation.appRevokeAccessScopes": ({ scopes }, context) => revokeScopes(context, scopes as string[]),
  "Mutation.flowTriggerReceive": ({ handle, payload }, { shop, takeEvent }) => {
    const message = takeEvent(shop, handle as string | undefined, payload);
    return { userErrors: message === null ? [] : [{ field: ["handle"], message }] };
  },
};

/** The first location by default, as the schema's optional id means the primary one. */
function location(shop: ShopState, gid: string | null): Node | null {
  const record =
    gid === null || gid === undefined ? [...shop.locations.values()][0] : shop.locations.get(numberOf(gid, "Location"));
  return record ? locationNode(record) : null;
}

function locations(args: LocationsArguments, { shop }: ResolverContext): Node {
  const byId = args.sortKey === "ID";
  return connection<LocationRecord>({
    records: listed(shop, args),
    page: args,
    sortValue: (one) => (byId ? one.id : one.name.toLowerCase()),
    id: (one) => one.id,
    toNode: locationNode,
  });
}

function listed(shop: ShopState, { includeInactive, includeLegacy, query }: LocationsArguments): LocationRecord[] {
  return [...shop.locations.values()].filter(
    (one) =>
      (includeInactive || one.isActive) && (includeLegacy || !one.isFulfillmentService) && matchesQuery(one, query),
  );
}

function order({ shop, scopes }: ResolverContext, gid: string): Node | null {
  const record = readableOrders(shop, scopes).find((one) => one.id === numberOf(gid, "Order"));
  return record ? orderNode(shop, record, scopes) : null;
}

function orders(args: PageArguments, { shop, scopes }: ResolverContext): Node {
  return connection({
    records: readableOrders(shop, scopes),
    page: args,
    sortValue: (one) => one.createdAtMs,
    id: (one) => one.id,
    toNode: (one) => orderNode(shop, one, scopes),
  });
}

/** Orders older than sixty days are hidden, unless the app has read_all_orders. */
function readableOrders(shop: ShopState, scopes: readonly string[]): ShopState["orders"] {
  if (scopes.includes("read_all_orders")) return shop.orders;
  return shop.orders.filter((one) => one.createdAtMs > Date.now() - SIXTY_DAYS_MS);
}

function node(context: ResolverContext, gid: string): Node | null {
  const kind = /^gid:\/\/shopify\/(\w+)\//.exec(gid)?.[1];
  if (kind === "Location" && context.scopes.includes("read_locations")) return location(context.shop, gid);
  if (kind === "Order" && context.scopes.includes("read_orders") && context.protectedDataApproved)
    return order(context, gid);
  if (kind === "Shop") return shopNode(context.shop);
  return null;
}

function app(context: ResolverContext): Node {
  const { config, credentials } = context.state;
  return {
    __typename: "App",
    id: "gid://shopify/App/1",
    title: config.name,
    handle: config.handle,
    apiKey: credentials.apiKey,
    embedded: true,
    requestedAccessScopes: config.scopes.map(scopeNode),
    optionalAccessScopes: config.optionalScopes.map(scopeNode),
    webhookApiVersion: config.apiVersion,
    installation: () => installation(context),
  };
}

function installation(context: ResolverContext): Node {
  return {
    __typename: "AppInstallation",
    id: `gid://shopify/AppInstallation/${context.shop.id}`,
    accessScopes: context.scopes.map(scopeNode),
    activeSubscriptions: [],
    launchUrl: context.state.config.applicationUrl,
    metafield: null,
    app: () => app(context),
  };
}

function revokeScopes({ state, shop, onScopesChanged }: ResolverContext, scopes: string[]): Node {
  const required = scopes.filter((scope) => state.config.scopes.includes(scope));
  if (required.length > 0) {
    const message = `These scopes are required and cannot be revoked: ${required.join(", ")}`;
    return { revoked: null, userErrors: [{ code: "CANNOT_REVOKE_REQUIRED_SCOPES", field: ["scopes"], message }] };
  }
  const previous = grantedScopes(state, shop);
  const revoked = scopes.filter((scope) => shop.installation?.grantedOptionalScopes.delete(scope));
  if (revoked.length > 0) onScopesChanged(shop, previous);
  return { revoked: revoked.map(scopeNode), userErrors: [] };
}

function scopeNode(handle: string): Node {
  return { handle, description: handle.replaceAll("_", " ") };
}

function numberOf(gid: string, kind: string): number {
  return Number(new RegExp(`^gid://shopify/${kind}/(\\d+)$`).exec(gid)?.[1] ?? Number.NaN);
}
