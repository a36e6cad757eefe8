import { render } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { OrderOriginView } from "../../../app/views/order-origins.ts";
import type { Failure } from "../../order-origin/src/app.ts";
import { host, t } from "../../order-origin/src/host.ts";
import { isAsking, originAt, Said } from "../../order-origin/src/origin-card.tsx";
import { isHeldUp, Page } from "../../order-origin/src/page.tsx";
import { CardSkeleton } from "../../order-origin/src/skeletons.tsx";
import { ListedOrigin, maySync, mayVerify } from "./listed-origin.tsx";
import { MOST_ORDERS, readOrders, selectedOrders } from "./orders.ts";
import type { ListedPlace, OrdersRead, OrdersReading } from "./orders.ts";
import { useOrderList } from "./use-order-list.ts";
import type { OrderList } from "./use-order-list.ts";

export default function action(): void {
  render(<Action first={readOrders(selectedOrders())} />, document.body);
}

function Action({ first }: { first: Promise<OrdersReading> }) {
  const list = useOrderList(first);
  const [busy, setBusy] = useState<"verify" | "sync" | null>(null);
  const [said, say] = useState<{ words?: string; failure?: Failure }>({});
  // A ref, because React's state changes one render after a press.
  const asking = useRef(false);
  const { orders, view } = list;
  const places = useOrder(list);
  const origins = isHeldUp(list) ? [] : (view?.origins ?? []);
  const many = { verify: origins.filter(mayVerify), sync: origins.filter(maySync) };

  // Of what was in progress, this press's or another's.
  const isOver = view?.busy !== true && (said.words !== undefined || said.failure === "busy");

  // The page says it, too, and has the button that tries again.
  const isToldBelow = said.failure !== undefined && said.failure === list.problem;
  useLayoutEffect(() => {
    if (isToldBelow) say({});
  }, [isToldBelow]);

  const start = async (what: "verify" | "sync") => {
    if (asking.current) return;
    asking.current = true;
    setBusy(what);
    say({});
    const reply = await list.startAll(
      what,
      many[what].map(({ locationId }) => locationId),
    );
    asking.current = false;
    setBusy(null);
    if ("failure" in reply) say({ failure: reply.failure });
    else say({ words: t(`started.${what}`, { count: reply.value.count }) });
  };

  return (
    <s-admin-action heading={t("title")} loading={list.places === null}>
      <Page origins={list} heldUpAbove>
        {orders && orders.places.length > 0 && <Summary orders={orders} origins={origins} />}
        {places?.map((place) => (
          <ListedOrigin key={place.locationId ?? place.name} place={place} list={list} held={busy !== null} />
        ))}
        {orders && places === null && <CardSkeleton />}
        {orders && <Apart orders={orders} />}
        {origins.length > 0 && <Said {...(isOver ? { words: t("ended") } : said)} />}
      </Page>
      <All of={many.verify} what="verify" busy={busy} running={view?.busy === true} start={start} />
      <All of={many.sync} what="sync" busy={busy} running={view?.busy === true} start={start} />
      <s-button slot="secondary-actions" onClick={() => host.shopify.close?.()}>
        {t("close")}
      </s-button>
    </s-admin-action>
  );
}

/**
 * The locations as they stand in the list: what needs somebody first, then by orders. The first answer decides, so that no row moves under
 * a pointer. Null until the app has answered.
 */
function useOrder(list: OrderList): ListedPlace[] | null {
  const order = useRef<string[] | null>(null);
  const { orders } = list;
  if (!orders || orders.places.some((place) => isAsking(place, list))) return null;
  const keyOf = ({ locationId, name }: ListedPlace) => locationId ?? name;
  const isPending = (place: ListedPlace) => waitsForOwner(originAt(place, list));
  const first = [...orders.places].sort((a, b) => Number(isPending(b)) - Number(isPending(a)));
  order.current ??= first.map(keyOf);
  const known = order.current;
  return first.sort((a, b) => known.indexOf(keyOf(a)) - known.indexOf(keyOf(b)));
}

/** Of a location that was deleted, or that the app does not know yet, nothing waits. */
const waitsForOwner = (origin: OrderOriginView | null): boolean => origin?.attention === "yours";

function Summary({ orders, origins }: { orders: OrdersRead; origins: OrderOriginView[] }) {
  const of = orders.places.length;
  const count = origins.filter(waitsForOwner).length;
  return (
    <s-stack gap="small-200">
      <s-text type="strong">{t("summary", { count: of })}</s-text>
      {origins.length > 0 && <s-text>{count > 0 ? t("stillPending", { count, of }) : t("nothingPending")}</s-text>}
    </s-stack>
  );
}

/** The orders that no location above has. */
function Apart({ orders: { without, unreadable, unanswered, beyond, places } }: { orders: OrdersRead }) {
  const lines = [
    ...(without > 0 ? [t("without", { count: without })] : []),
    ...(unreadable > 0 ? [t("unreadable", { count: unreadable })] : []),
    ...(unanswered > 0 ? [t("unanswered", { count: unanswered })] : []),
    ...(beyond > 0 ? [t("beyond", { count: beyond, most: MOST_ORDERS })] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <s-stack gap="small-200">
      {places.length > 0 && <s-divider />}
      {lines.map((line) => (
        <s-text key={line}>{line}</s-text>
      ))}
    </s-stack>
  );
}

interface AllProps {
  of: OrderOriginView[];
  what: "verify" | "sync";
  busy: "verify" | "sync" | null;
  /** Another bulk action is in progress. */
  running: boolean;
  start: (what: "verify" | "sync") => Promise<void>;
}

/** One press for all origins that can take it; one origin has its own button. */
function All({ of, what, busy, running, start }: AllProps) {
  if (of.length < 2) return null;
  return (
    <s-button
      slot={what === "verify" ? "primary-action" : "secondary-actions"}
      variant={what === "verify" ? "primary" : "secondary"}
      loading={busy === what}
      disabled={busy !== null || running}
      onClick={() => void start(what)}
    >
      {t(`${what}All`, { count: of.length })}
    </s-button>
  );
}
