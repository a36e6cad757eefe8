import { render } from "preact";
import { useState } from "preact/hooks";
import type { OrderOriginView } from "../../../app/views/order-origins.ts";
import { Skeleton, BUTTON, ButtonSkeleton, CardSkeleton, Cells, Fill } from "./skeletons.tsx";
import { host, t } from "./host.ts";
import { handOver } from "./change-notices.ts";
import { readOrder } from "./order.ts";
import type { Place } from "./order.ts";
import { hasRoom, isAsking, OriginCard, originAt, PlaceName, Said, stateWords, useDoing } from "./origin-card.tsx";
import type { Doing } from "./origin-card.tsx";
import { isHeldUp, Mend, Nothing, noticeOf } from "./page.tsx";
import type { Notice } from "./page.tsx";
import { useOrigins } from "./use-origins.ts";
import type { FirstReading, Origins } from "./use-origins.ts";

/** How long to wait for the order before drawing. Shopify usually answers sooner, and then the first drawing has the final size. */
const ORDER_WITHIN_MS = 1_000;

export default async function block(): Promise<void> {
  const reading = readOrder(host.orderId);
  const soon = new Promise<null>((resolve) => setTimeout(resolve, ORDER_WITHIN_MS, null));
  const order = await Promise.race([reading, soon]);
  render(<Block order={order} reading={reading} />, document.body);
}

function Block(first: FirstReading) {
  const origins = useOrigins(first);
  const { view } = origins;
  const states = view?.origins.map((origin) => `${origin.name}: ${stateWords(origin)}`).join(" · ");
  return (
    <s-admin-block
      heading={t("title")}
      collapsedSummary={(isHeldUp(origins) ? noticeOf(origins)?.words : states) ?? ""}
    >
      <Places origins={origins} />
    </s-admin-block>
  );
}

/**
 * Before Shopify answers, nobody knows how many locations the order ships from. If several turn out late, they share the room kept for one.
 */
function Places({ origins }: { origins: Origins }) {
  const { places, waited } = origins;
  const [whole, showWhole] = useState(false);
  if (!places) return <CardSkeleton />;
  const notice = noticeOf(origins);
  if (places.length === 0) return notice && <Nothing notice={notice} waited={waited} />;
  const late = waited && places.length > 1;
  const brief = late && !whole;
  // The connection's fault is every origin's, so it stands at the top; what the app did not answer stands with the buttons that ask again.
  const told = isHeldUp(origins) ? 0 : places.length - 1;
  return (
    <s-stack gap={brief ? "small-200" : "base"}>
      {brief && <Brief places={places} origins={origins} notice={notice} />}
      {!brief &&
        places.map((place, index) => (
          <s-stack key={place.locationId ?? place.name} gap="base">
            {index > 0 && <s-divider />}
            <Card place={place} origins={origins} notice={index === told ? notice : null} />
          </s-stack>
        ))}
      {late && (
        <s-stack key="whole" direction="inline" gap="small">
          <s-button onClick={() => showWhole(!whole)}>{t(whole ? "less" : "more")}</s-button>
          {brief && notice && <Mend notice={notice} />}
        </s-stack>
      )}
    </s-stack>
  );
}

interface CardProps {
  place: Place;
  origins: Origins;
  /** A message for the whole block, shown in one of its cards. */
  notice: Notice | null;
}

/** A location with its buttons. Its rows stay the same from the first drawing on. */
function Card({ place, origins, notice }: CardProps) {
  const origin = originAt(place, origins);
  const doing = useDoing(origin, origins.changed);
  const asking = isAsking(place, origins);
  const pressable = asking || (origin && (origin.form ?? (origin.canVerify || origin.canSync)));
  return (
    <s-stack gap="small-200">
      <OriginCard place={place} origins={origins} failure={doing.failure} said={notice?.words} />
      <s-stack direction="inline" gap="small" alignItems="center">
        {origin && <Buttons origin={origin} doing={doing} notice={notice} />}
        {!origin && notice && <Mend notice={notice} />}
        {asking && <ButtonSkeleton />}
        {!pressable && hasRoom(place, origins) && <Skeleton padding={BUTTON} />}
      </s-stack>
    </s-stack>
  );
}

interface ButtonsProps {
  origin: OrderOriginView;
  doing: Doing;
  notice: Notice | null;
}

function Buttons({ origin, doing: { busy, failure, start }, notice }: ButtonsProps) {
  const chosen = origin.carriers.filter((one) => one.chosen).map(({ carrier }) => carrier);
  // Opens the action on the same page. The action reads from the storage for which location it was opened.
  const finish = () =>
    void handOver(origin.locationId).then(() => host.shopify.navigation?.navigate("extension://order-origin"));
  // If nothing can be reached, "try again" is the only button. If a press has just failed, its own button is there to press again.
  const away = notice?.retry && !failure && !busy;
  return (
    <>
      {notice && (away || notice.link) && <Mend notice={notice} />}
      {!away && origin.form && (
        <s-button onClick={finish}>{t(origin.form.fields.length > 0 ? "finish" : "review")}</s-button>
      )}
      {!away && origin.canVerify && chosen.length > 0 && (
        <s-button
          loading={busy === "verify"}
          disabled={busy !== null}
          onClick={() => void start("verify", { carriers: chosen })}
        >
          {t("verify")}
        </s-button>
      )}
      {!away && origin.canSync && !origin.form && (
        <s-button loading={busy === "sync"} disabled={busy !== null} onClick={() => void start("sync")}>
          {t("sync")}
        </s-button>
      )}
    </>
  );
}

/** How many locations have a row each in the room of one. */
const ROWS = 3;

interface BriefProps {
  places: Place[];
  origins: Origins;
  notice: Notice | null;
}

/** The names and states of several locations; one press shows the rest. */
function Brief({ places, origins, notice }: BriefProps) {
  const listed = places.length > ROWS ? places.slice(0, ROWS - 1) : places;
  return (
    <>
      <Said words={notice?.words} />
      {listed.map((place) => (
        <PlaceName key={place.locationId ?? place.name} place={place} origins={origins} />
      ))}
      {listed.length < places.length && (
        <Cells>
          <s-text>{t("others", { count: places.length - listed.length })}</s-text>
          <Skeleton />
        </Cells>
      )}
      <Cells>
        <Fill taken={places.length < ROWS ? 0 : ROWS - 1} />
      </Cells>
    </>
  );
}
