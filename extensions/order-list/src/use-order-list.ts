import { useEffect, useRef, useState } from "preact/hooks";
import type { OrderListAnswer } from "../../../app/views/order-origins.ts";
import { actForMany, readManyOrigins } from "../../order-origin/src/app.ts";
import type { Failure, Reply } from "../../order-origin/src/app.ts";
import type { OrderProblem } from "../../order-origin/src/order.ts";
import type { Origins } from "../../order-origin/src/use-origins.ts";
import { readOrders, selectedOrders } from "./orders.ts";
import type { OrdersRead, OrdersReading } from "./orders.ts";

const FIRST_LOOK_MS = 1_500;
const LONGEST_WAIT_MS = 30_000;

export interface OrderList extends Origins {
  /** Null while Shopify is asked, or where it did not say. */
  orders: OrdersRead | null;
  view: OrderListAnswer | null;
  /** Starts one bulk action for these, and reads all again. */
  startAll: (action: "verify" | "sync", locationIds: string[]) => Promise<Reply<{ count: number }>>;
}

interface Shown {
  orders: OrdersRead | null;
  view: OrderListAnswer | null;
  problem: OrderProblem | Failure | null;
}

const NOTHING: Shown = { orders: null, view: null, problem: null };

/** The selected orders' locations, and what the app knows of each: read at once, and again while something of them is under way. */
export function useOrderList(first: Promise<OrdersReading>): OrderList {
  const [shown, setShown] = useState<Shown>(NOTHING);
  const looks = useRef(0);
  const asked = useRef(0);
  const gone = useRef(false);

  const lookAt = async (orders: OrdersRead, last: OrderListAnswer | null) => {
    const ids = orders.places.flatMap(({ locationId }) => locationId ?? []);
    if (ids.length === 0) return;
    asked.current += 1;
    const question = asked.current;
    const reply = await readManyOrigins(ids);
    // A later request has the newer answer, whichever arrives first.
    if (question !== asked.current || gone.current) return;
    if ("value" in reply) setShown({ orders, view: reply.value, problem: null });
    else setShown({ orders, view: last, problem: reply.failure });
  };

  const load = async (reading: Promise<OrdersReading>) => {
    const read = await reading;
    if (gone.current) return;
    if ("problem" in read) return setShown({ ...NOTHING, problem: read.problem });
    setShown({ ...NOTHING, orders: read });
    await lookAt(read, null);
  };

  const look = async () => {
    looks.current = 0;
    if (shown.orders) await lookAt(shown.orders, shown.view);
  };

  useEffect(() => {
    void load(first);
    return () => {
      gone.current = true;
    };
  }, []);

  useEffect(() => {
    const { orders, view } = shown;
    const isAwaited = view && (view.busy || view.unknown.length > 0 || view.origins.some(({ moving }) => moving));
    if (!orders || !isAwaited) return;
    const timer = setTimeout(
      () => void lookAt(orders, view),
      Math.min(LONGEST_WAIT_MS, FIRST_LOOK_MS * 1.5 ** looks.current),
    );
    looks.current += 1;
    return () => clearTimeout(timer);
  }, [shown]);

  return {
    ...shown,
    places: shown.orders?.places ?? (shown.problem ? [] : null),
    waited: true,
    retry: () => {
      setShown({ ...shown, problem: null });
      if (shown.orders) void look();
      else void load(readOrders(selectedOrders()));
    },
    changed: look,
    startAll: async (action, locationIds) => {
      const reply = await actForMany(action, locationIds);
      await look();
      return reply;
    },
  };
}
