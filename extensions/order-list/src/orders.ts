import { host } from "../../order-origin/src/host.ts";
import { API_VERSION, readOrder } from "../../order-origin/src/order.ts";
import type { OrderProblem, Place } from "../../order-origin/src/order.ts";

/** What Shopify tells of the selected orders: the locations that their parts ship from. The app stores nothing of them. */

/** As many orders as are read. Shopify's list selects more, of which the first are read and the others said. */
export const MOST_ORDERS = 250;

/** How many orders a query has, each with so many parts. Both cost 900 of the 1,000 points that a query may cost. */
const PAGE = { orders: 50, parts: 5 };

/** For orders with more parts: 918 points. */
const LONG_PAGE = { orders: 6, parts: 50 };

/** How often a query is asked anew that came when Shopify's points were used up. */
const TRIES = 6;
const LONGEST_WAIT_MS = 3_000;

const OF_ONE_ORDER: readonly OrderProblem[] = ["tooOld", "noOrigin"];

export const ORDERS_LOCATIONS = `query OrigenOrdersLocations($ids: [ID!]!, $parts: Int!) {
nodes(ids: $ids) { ... on Order { id fulfillmentOrders(first: $parts, displayable: true) {
nodes { status assignedLocation { name location { id name } } } pageInfo { hasNextPage } } } } }`;

/** A location, and how many of the selected orders leave from it. */
export interface ListedPlace extends Place {
  orders: number;
}

export interface OrdersRead {
  places: ListedPlace[];
  /** Orders of which nothing ships from a location of the store. */
  without: number;
  /** Orders that apps cannot read: older than 60 days, or deleted since. */
  unreadable: number;
  /** Orders of which Shopify's answer did not come, or could not be read. */
  unanswered: number;
  /** Selected beyond `MOST_ORDERS`, and not read. */
  beyond: number;
}

export type OrdersReading = OrdersRead | { problem: OrderProblem };

interface Part {
  status: string;
  assignedLocation: { name: string; location: { id: string; name: string } | null };
}

interface OrderNode {
  id: string;
  fulfillmentOrders: { nodes: Part[]; pageInfo: { hasNextPage: boolean } };
}

interface Reply {
  data?: { nodes: (Partial<OrderNode> | null)[] } | null;
  errors?: { message: string; extensions?: { code?: string } }[];
  extensions?: { cost?: Cost };
}

interface Cost {
  requestedQueryCost: number;
  throttleStatus: { currentlyAvailable: number; restoreRate: number };
}

/** The ids of the selected orders. */
export function selectedOrders(): string[] {
  return host.shopify.data.selected.map(({ id }) => id).filter((id) => id.includes("/Order/"));
}

/** Shopify's points are used up, and do not come back. */
class PointsUsedUp extends Error {}

/**
 * Asks Shopify one query a page of orders, one after another, because they share the store's points. Where one page fails, the others are
 * read all the same.
 */
export async function readOrders(ids: string[]): Promise<OrdersReading> {
  const wanted = [...new Set(ids)].slice(0, MOST_ORDERS);
  const found = new Map<string, Part[]>();
  const unanswered = new Set<string>();
  try {
    const long = await readPages(wanted, { page: PAGE, found, unanswered });
    const failed = new Set<string>();
    const longest = await readPages(long, { page: LONG_PAGE, found, unanswered: failed });
    // Where no order can be read, the page of one order says why. What is of that order alone says nothing of the others.
    if (found.size === 0) {
      const problem = await problemOf(wanted[0] ?? "");
      const isOfOne = OF_ONE_ORDER.includes(problem);
      if (!isOfOne || unanswered.size > 0) return { problem: isOfOne ? "shopify" : problem };
    }
    return await countedOf(wanted, { found, longest: new Set([...longest, ...failed]), unanswered });
  } catch {
    return { problem: "shopify" };
  }
}

interface Pages {
  page: { orders: number; parts: number };
  found: Map<string, Part[]>;
  /** Gets the orders of pages that failed. */
  unanswered: Set<string>;
}

/** Gives the orders that have more parts than the page tells. */
async function readPages(ids: string[], { page, found, unanswered }: Pages): Promise<string[]> {
  const longer: string[] = [];
  for (let at = 0; at < ids.length; at += page.orders) {
    const asked = ids.slice(at, at + page.orders);
    try {
      const { data } = await ask({ ids: asked, parts: page.parts });
      for (const order of data?.nodes ?? []) {
        if (!order?.id || !order.fulfillmentOrders) continue;
        const { nodes, pageInfo } = order.fulfillmentOrders;
        if (pageInfo.hasNextPage) longer.push(order.id);
        found.set(order.id, nodes);
      }
      if (!data) asked.forEach((id) => unanswered.add(id));
    } catch (error) {
      const isOver = error instanceof PointsUsedUp;
      (isOver ? ids.slice(at) : asked).forEach((id) => unanswered.add(id));
      if (isOver) break;
    }
  }
  return longer;
}

interface Counted {
  found: ReadonlyMap<string, Part[]>;
  /** Orders with more parts than a page has, which are read one by one. */
  longest: ReadonlySet<string>;
  unanswered: ReadonlySet<string>;
}

async function countedOf(wanted: string[], { found, longest, unanswered }: Counted): Promise<OrdersRead> {
  const places = new Map<string, ListedPlace>();
  let without = 0;
  let notWhole = 0;
  for (const [id, parts] of found) {
    const here = new Map<string, Place>();
    const whole = longest.has(id) ? await readOrder(id) : { places: parts.filter(isKept).map(placeOf) };
    if ("problem" in whole && whole.problem !== "noOrigin") {
      notWhole += 1;
      continue;
    }
    for (const place of "places" in whole ? whole.places : []) here.set(place.locationId ?? place.name, place);
    if (here.size === 0) without += 1;
    for (const [key, place] of here) places.set(key, { ...place, orders: (places.get(key)?.orders ?? 0) + 1 });
  }
  return {
    places: [...places.values()].sort((a, b) => b.orders - a.orders || a.name.localeCompare(b.name)),
    without,
    unreadable: wanted.length - found.size - unanswered.size,
    unanswered: unanswered.size + notWhole,
    beyond: selectedOrders().length - wanted.length,
  };
}

const isKept = ({ status }: Part): boolean => status !== "CANCELLED";

/** An order's own address is its page's matter. */
function placeOf({ assignedLocation: { name, location } }: Part): Place {
  return { locationId: location?.id ?? null, name: location?.name ?? name, address: "", kept: null };
}

async function problemOf(id: string): Promise<OrderProblem> {
  const order = await readOrder(id);
  return "problem" in order ? order.problem : "shopify";
}

async function ask(variables: object): Promise<Reply> {
  const body = JSON.stringify({ query: ORDERS_LOCATIONS, variables });
  for (let attempt = 1; ; attempt += 1) {
    const response = await host.fetch(`shopify:admin/api/${API_VERSION}/graphql.json`, { method: "POST", body });
    const reply = (await response.json()) as Reply;
    const throttled = reply.errors?.some(({ extensions }) => extensions?.code === "THROTTLED");
    if (!throttled) return reply.errors?.length ? {} : reply;
    if (attempt === TRIES) throw new PointsUsedUp();
    await new Promise((resolve) => setTimeout(resolve, waitMs(reply.extensions?.cost)));
  }
}

/** Until the store has the points again that the query costs. */
function waitMs(cost: Cost | undefined): number {
  if (!cost) return 1_000;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.min(
    LONGEST_WAIT_MS,
    Math.max(100, ((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000),
  );
}
