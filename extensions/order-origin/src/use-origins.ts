import { useEffect, useRef, useState } from "preact/hooks";
import type { OrderOriginsView } from "../../../app/views/order-origins.ts";
import { readOrigins } from "./app.ts";
import type { Failure } from "./app.ts";
import { host } from "./host.ts";
import { lastChange, announceChange } from "./change-notices.ts";
import { readOrder } from "./order.ts";
import type { OrderProblem, OrderReading, Place } from "./order.ts";

const FIRST_LOOK_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** How often to look for notices in the browser's storage. No request is sent for that. */
const LOOKS_EVERY_MS = 2_000;

export interface Shown {
  /** Null while the order is being read. */
  places: Place[] | null;
  /** Null: the app has not answered, or there is nothing to ask it for. */
  view: OrderOriginsView | null;
  /** Why nothing can be shown, or why the view may be out of date. */
  problem: OrderProblem | Failure | null;
}

export interface Origins extends Shown {
  /** Whether something was drawn before the order was known. */
  waited: boolean;
  retry: () => void;
  /** Reads again after a request for an origin, and notifies the other places that show it. */
  changed: (locationId: string) => Promise<void>;
}

const NOTHING: Shown = { places: null, view: null, problem: null };

export interface FirstReading {
  reading: Promise<OrderReading>;
  /** The order, if it was read before anything was drawn. */
  order?: OrderReading | null;
}

/**
 * The order's locations, and what the app knows of each. Reads again while something is under way, and after somebody changed something.
 */
export function useOrigins({ reading, order }: FirstReading): Origins {
  const [shown, setShown] = useState<Shown>(() => (order ? readingOf(order) : NOTHING));
  const looks = useRef(0);
  const gone = useRef(false);
  const asked = useRef(0);
  const knownMs = useRef(Date.now());
  const waited = useRef(false);
  if (!shown.places) waited.current = true;

  const show = (next: Shown) => {
    if (!gone.current) setShown(next);
  };

  const lookAt = async (places: Place[], last: OrderOriginsView | null) => {
    const ids = idsOf(places);
    if (ids.length === 0) return;
    asked.current += 1;
    const question = asked.current;
    const reply = await readOrigins(ids);
    // A later request has the newer answer, whichever arrives first.
    if (question !== asked.current) return;
    if ("value" in reply) show({ places, view: reply.value, problem: null });
    else show({ places, view: last, problem: reply.failure });
  };

  const look = async () => {
    looks.current = 0;
    await lookAt(shown.places ?? [], shown.view);
  };

  const load = async (first: Promise<OrderReading>) => {
    const read = await first;
    show(readingOf(read));
    if ("places" in read) await lookAt(read.places, null);
  };

  useEffect(() => {
    void load(reading);
    return () => {
      gone.current = true;
    };
  }, []);

  useEffect(() => {
    const { places, view } = shown;
    const awaited = view && (view.unknown.length > 0 || view.origins.some(({ moving }) => moving));
    if (!places || !awaited) return;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_LOOK_MS * 1.5 ** looks.current);
    looks.current += 1;
    const timer = setTimeout(() => void lookAt(places, view), waitMs);
    return () => clearTimeout(timer);
  }, [shown]);

  useEffect(() => {
    const ids = idsOf(shown.places ?? []);
    if (ids.length === 0) return;
    const timer = setInterval(async () => {
      const atMs = await lastChange(ids);
      if (atMs <= knownMs.current) return;
      knownMs.current = atMs;
      await look();
    }, LOOKS_EVERY_MS);
    return () => clearInterval(timer);
  }, [shown]);

  return {
    ...shown,
    waited: waited.current,
    retry: () => {
      if (!shown.view) show(shown.places?.length ? { ...shown, problem: null } : NOTHING);
      if (!shown.places?.length) return void load(readOrder(host.orderId));
      void look();
    },
    changed: async (locationId) => {
      knownMs.current = await announceChange(locationId);
      await look();
    },
  };
}

function readingOf(order: OrderReading): Shown {
  return "problem" in order ? { ...NOTHING, places: [], problem: order.problem } : { ...NOTHING, places: order.places };
}

function idsOf(places: Place[]): string[] {
  return places.flatMap(({ locationId }) => locationId ?? []);
}
