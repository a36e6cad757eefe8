import type { AppError } from "../../domain/errors.ts";
import type { Clock, ShopifyAdmin, ShopifyLocation, ShopStanding } from "../../ports.ts";
import { isRefusal, shopifyFault, toAppError } from "./faults.ts";
import { flowPayload } from "./flow-payload.ts";
import { withinTime } from "./http.ts";
import { GRANTED_SCOPES, LOCATION, LOCATIONS, LOCATIONS_PAGE_SIZE, SHOP, TELL_FLOW } from "./queries.ts";
import { grantedScopesReply, locationReply, locationsReply, shopReply, tellFlowReply } from "./replies.ts";
import type { Reply, WireLocation } from "./replies.ts";

/** A client with a valid offline token of one shop. It throws AppErrors, or the network's errors. */
export interface GraphqlClient {
  graphql(query: string, options: { variables: Record<string, unknown>; signal: AbortSignal }): Promise<unknown>;
}

export interface ShopifyAdminOptions {
  /** See offline-client.ts. */
  clientFor(shop: string): Promise<GraphqlClient>;
  clock: Clock;
  /** The app's own id at Shopify, which its pages in the admin are found by. */
  apiKey: string;
}

const ATTEMPTS = 5;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;

/** Shopify's Admin GraphQL API, as far as the app uses it. Text is returned as Shopify stores it, with U+2060. */
export function createShopifyAdmin({ clientFor, clock, apiKey }: ShopifyAdminOptions): ShopifyAdmin {
  /** Only reads and what Flow may be told twice, so any attempt may be repeated. After throttling each wait is longer. */
  async function ask<T>({
    shop,
    query,
    variables = {},
    reply,
    attempts = ATTEMPTS,
    isFinal = never,
  }: Question<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await withinTime(clock, TIMEOUT_MS, async (signal) => {
          const client = await clientFor(shop);
          return client.graphql(query, { variables, signal });
        });
        return reply.parse(answer).data;
      } catch (error) {
        const fault = toAppError(error);
        if (fault.kind !== "shopify_unavailable" || isFinal(fault) || attempt >= attempts) throw fault;
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
      const cursors = new Set<string>();
      let after: string | null = null;
      do {
        const page: Reply<typeof locationsReply> = await ask({
          shop,
          query: LOCATIONS,
          variables: { first: LOCATIONS_PAGE_SIZE, after },
          reply: locationsReply,
        });
        for (const node of page.locations.nodes) found.set(node.id, locationOf(node));
        after = nextCursor(page.locations.pageInfo, cursors);
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

    async tellFlow(shop, event) {
      const variables = { handle: event.trigger, payload: flowPayload(event, apiKey) };
      try {
        const data = await ask({ shop, query: TELL_FLOW, variables, reply: tellFlowReply, isFinal: isRefusal });
        const [refused] = data.flowTriggerReceive.userErrors;
        return refused ? { kind: "refused", message: refused.message } : { kind: "taken" };
      } catch (error) {
        const fault = toAppError(error);
        if (isRefusal(fault)) return { kind: "refused", message: fault.message };
        throw fault;
      }
    },

    async standing(shop) {
      try {
        // One attempt only: the caller asks again later, and an answer after retries would be older than it looks.
        await grantedScopes(shop, 1);
        return { kind: "installed" };
      } catch (error) {
        return standingOf(toAppError(error));
      }
    },
  };
}

/** Null after the last page. @throws for a page without a way on: asked for again, it would be the next page for ever. */
function nextCursor({ hasNextPage, endCursor }: PageInfo, cursors: Set<string>): string | null {
  if (!hasNextPage) return null;
  if (endCursor === null || cursors.has(endCursor))
    throw shopifyFault("shopify_unavailable", "Shopify's list of locations does not say how it goes on");
  cursors.add(endCursor);
  return endCursor;
}

type PageInfo = Reply<typeof locationsReply>["locations"]["pageInfo"];

function standingOf({ kind, status, message }: AppError): ShopStanding {
  if (kind === "shopify_frozen") return { kind: "frozen" };
  if (kind === "shopify_session") return { kind: "unclear", why: "no_session", message };
  // Without a status, a scope is missing. A token that lacks a scope is still a valid token.
  if (kind === "shopify_refused" && status !== null) return { kind: "refused" };
  return { kind: "unclear", why: "unavailable", message };
}

interface Question<T> {
  shop: string;
  query: string;
  variables?: Record<string, unknown>;
  reply: { parse(value: unknown): { data: T } };
  attempts?: number | undefined;
  /** Of a fault after which Shopify could otherwise be asked again. */
  isFinal?: (fault: AppError) => boolean;
}

const never = () => false;

function locationOf({
  id,
  name,
  isActive,
  isFulfillmentService,
  fulfillsOnlineOrders,
  address,
  updatedAt: shopifyAtMs,
}: WireLocation): ShopifyLocation {
  return { locationId: id, name, isActive, isFulfillmentService, fulfillsOnlineOrders, address, shopifyAtMs };
}
