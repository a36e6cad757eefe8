import { useEffect, useRef, useState } from "preact/hooks";
import type { OrderOriginsView } from "../../../app/use-cases/views/order-origins.ts";
import { readOrigins } from "./app.ts";
import type { Failure } from "./app.ts";
import { host } from "./host.ts";
import { readOrder } from "./order.ts";
import type { OrderProblem, Place } from "./order.ts";

const FIRST_LOOK_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

export interface Shown {
  /** Null: still loading. */
  places: Place[] | null;
  view: OrderOriginsView | null;
  /** Why there is nothing to show, or why what is shown may be old. */
  problem: OrderProblem | Failure | null;
}

export interface Origins extends Shown {
  retry: () => void;
  /** Looks again at once, and then at growing intervals as long as something moves or is not known yet. */
  look: () => Promise<void>;
  /** Somebody went to finish something elsewhere: looks again, too, as long as there is something to finish. */
  watch: () => void;
}

/** The order's places, and what the app knows of each; asks again while something is under way. */
export function useOrigins(): Origins {
  const [shown, setShown] = useState<Shown>({ places: null, view: null, problem: null });
  const [watched, setWatched] = useState(false);
  const looks = useRef(0);
  const gone = useRef(false);
  const asked = useRef(0);

  const show = (next: Shown) => {
    if (!gone.current) setShown(next);
  };

  const lookAt = async (places: Place[], last: OrderOriginsView | null) => {
    const ids = places.flatMap(({ locationId }) => locationId ?? []);
    if (ids.length === 0) return show({ places, view: null, problem: null });
    asked.current += 1;
    const question = asked.current;
    const reply = await readOrigins(ids);
    // A later question has the newer answer, whichever comes first.
    if (question !== asked.current) return;
    if ("told" in reply) show({ places, view: reply.told, problem: null });
    else show({ places, view: last, problem: reply.failure });
  };

  const load = async () => {
    show({ places: null, view: null, problem: null });
    const order = await readOrder(host.orderId);
    if ("problem" in order) show({ places: [], view: null, problem: order.problem });
    else await lookAt(order.places, null);
  };

  useEffect(() => {
    void load();
    return () => {
      gone.current = true;
    };
  }, []);

  useEffect(() => {
    const { places, view } = shown;
    const awaited =
      view && (view.unknown.length > 0 || view.origins.some(({ moving, form }) => moving || (watched && form)));
    if (!places || !awaited) return;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_LOOK_MS * 1.5 ** looks.current);
    looks.current += 1;
    const timer = setTimeout(() => void lookAt(places, view), waitMs);
    return () => clearTimeout(timer);
  }, [shown, watched]);

  const look = async () => {
    looks.current = 0;
    await lookAt(shown.places ?? [], shown.view);
  };

  return {
    ...shown,
    retry: () => void (shown.view ? look() : load()),
    look,
    watch: () => {
      looks.current = 0;
      setWatched(true);
    },
  };
}
