import type { AppError } from "../../domain/errors.ts";
import type { Clock, ShopifyAdmin, ShopifyLocation, ShopStanding } from "../../ports.ts";
import { toAppError } from "./faults.ts";
import { withinTime } from "./http.ts";
import { GRANTED_SCOPES, LOCATION, LOCATIONS, LOCATIONS_PAGE_SIZE, SHOP } from "./queries.ts";
import { grantedScopesReply, locationReply, locationsReply, shopReply } from "./replies.ts";
import type { Reply, WireLocation } from "./replies.ts";

/** A client that holds a valid offline token of one shop; it throws AppErrors, or what the network throws. */
export interface GraphqlClient {
  graphql(query: string, options: { variables: Record<string, unknown>; signal: AbortSignal }): Promise<unknown>;
}

export interface ShopifyAdminOptions {
  /** See offline-client.ts. */
  clientFor(shop: string): Promise<GraphqlClient>;
  clock: Clock;
}

const ATTEMPTS = 5;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;

/** Section "Admin GraphQL" of Shopify's documentation, as far as the app reads it. Text comes out as Shopify holds it, U+2060 included. */
export function createShopifyAdmin({ clientFor, clock }: ShopifyAdminOptions): ShopifyAdmin {
  /** Reads only, so any attempt may be repeated; a throttled one waits longer each time. */
  async function ask<T>({ shop, query, variables = {}, reply, attempts = ATTEMPTS }: Question<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await withinTime(clock, TIMEOUT_MS, async (signal) => {
          const client = await clientFor(shop);
          return client.graphql(query, { variables, signal });
        });
        return reply.parse(answer).data;
      } catch (error) {
        const fault = toAppError(error);
        if (fault.kind !== "shopify_unavailable" || attempt >= attempts) throw fault;
        await clock.sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
    }
  }

  async function grantedScopes(shop: string, attempts?: number): Promise<string[]> {
    const data = await ask({ shop, query: GRANTED_SCOPES, reply: grantedScopesReply, attempts });
    return data.currentAppInstallation.accessScopes.map((scope) => scope.handle);
  }

  return {
    grantedScopes: (shop) => grantedScopes(shop),

    async locations(shop) {
      const found = new Map<string, ShopifyLocation>();
      let after: string | null = null;
      do {
        const page: Reply<typeof locationsReply> = await ask({
          shop,
          query: LOCATIONS,
          variables: { first: LOCATIONS_PAGE_SIZE, after },
          reply: locationsReply,
        });
        for (const node of page.locations.nodes) found.set(node.id, locationOf(node));
        after = page.locations.pageInfo.hasNextPage ? page.locations.pageInfo.endCursor : null;
      } while (after !== null);
      return [...found.values()];
    },

    async location(shop, locationId) {
      const data = await ask({ shop, query: LOCATION, variables: { id: locationId }, reply: locationReply });
      return data.location && locationOf(data.location);
    },

    async shopDetails(shop) {
      const { shop: details } = await ask({ shop, query: SHOP, reply: shopReply });
      return { timeZone: details.ianaTimezone, email: details.contactEmail || null };
    },

    async standing(shop) {
      try {
        // Once: whoever asks comes again, and an answer must not be older than it looks.
        await grantedScopes(shop, 1);
        return { kind: "installed" };
      } catch (error) {
        return standingOf(toAppError(error));
      }
    },
  };
}

function standingOf({ kind, status, message }: AppError): ShopStanding {
  if (kind === "shopify_frozen") return { kind: "frozen" };
  if (kind === "shopify_session") return { kind: "unclear", why: "no_session", message };
  // Without a status it was a scope that is missing, and a token that has no right is a token.
  if (kind === "shopify_refused" && status !== null) return { kind: "refused" };
  return { kind: "unclear", why: "unavailable", message };
}

interface Question<T> {
  shop: string;
  query: string;
  variables?: Record<string, unknown>;
  reply: { parse(value: unknown): { data: T } };
  attempts?: number | undefined;
}

function locationOf({
  id,
  name,
  isActive,
  isFulfillmentService,
  fulfillsOnlineOrders,
  address,
}: WireLocation): ShopifyLocation {
  return { locationId: id, name, isActive, isFulfillmentService, fulfillsOnlineOrders, address };
}
