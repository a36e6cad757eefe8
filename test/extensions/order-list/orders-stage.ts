import { part } from "../order-origin/stage.ts";

/** Shopify's answers about many orders. */

export interface Asked {
  query: string;
  variables: { ids: string[]; parts: number };
}

export const orderId = (at: number) => `gid://shopify/Order/${9_000 + at}`;

interface Parts {
  nodes: ReturnType<typeof part>[];
  hasMore?: boolean;
}

/** As `nodes(ids)` answers; null for an order that may not be read. */
export function listReply(ids: string[], of: (id: string) => Parts | null) {
  const node = (id: string) => {
    const parts = of(id);
    if (!parts) return null;
    return { id, fulfillmentOrders: { nodes: parts.nodes, pageInfo: { hasNextPage: parts.hasMore ?? false } } };
  };
  return { data: { nodes: ids.map(node) } };
}

/** That many parts of an order, all from one location. */
export function partsOf(_id: string, count: number, hasMore = false): Parts {
  return { nodes: Array.from({ length: count }, () => part(1)), hasMore };
}

export const denied = (message: string) => ({
  data: null,
  errors: [{ message, extensions: { code: "ACCESS_DENIED" } }],
});
