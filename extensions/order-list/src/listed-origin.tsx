import type { OrderOriginView } from "../../../app/views/order-origins.ts";
import { Carriers } from "../../order-origin/src/carriers.tsx";
import { t } from "../../order-origin/src/host.ts";
import { linesOf, mayBeVerified, originAt, PlaceName, Said, useDoing } from "../../order-origin/src/origin-card.tsx";
import { isHeldUp } from "../../order-origin/src/page.tsx";
import type { ListedPlace } from "./orders.ts";
import type { OrderList } from "./use-order-list.ts";

const chosenOf = ({ carriers }: OrderOriginView): string[] =>
  carriers.filter(({ chosen }) => chosen).map(({ carrier }) => carrier);

export const mayVerify = (origin: OrderOriginView): boolean => origin.canVerify && chosenOf(origin).length > 0;

/** An origin that lacks details is finished in the app first. */
export const maySync = (origin: OrderOriginView): boolean => origin.canSync && origin.form === null;

interface ListedProps {
  place: ListedPlace;
  list: OrderList;
  /** Something for all of them is being asked for. */
  held: boolean;
}

/** One origin of the selected orders: its state and why, how many orders leave from it, and its buttons. */
export function ListedOrigin({ place, list, held }: ListedProps) {
  const origin = originAt(place, list);
  const { busy, failure, start } = useDoing(origin, list.changed);
  const heldUp = isHeldUp(list);
  const open = origin !== null && !heldUp;
  const off = held || busy !== null;
  return (
    <s-stack gap="small-200">
      <s-divider />
      {place.locationId ? <PlaceName place={place} origins={list} /> : <s-text type="strong">{place.name}</s-text>}
      <s-text color="subdued">{t("orders", { count: place.orders })}</s-text>
      {linesOf(place, list).map((line) => (
        <s-text key={line}>{line}</s-text>
      ))}
      {origin && origin.inShopify.length > 0 && (
        <s-link href={`shopify:admin/settings/locations/${origin.legacyId}`}>{t("link.location")}</s-link>
      )}
      {origin && origin.state !== "ready" && mayBeVerified(origin) && <Carriers carriers={origin.carriers} />}
      {failure && <Said failure={failure} />}
      {open && (mayVerify(origin) || maySync(origin)) && (
        <s-stack direction="inline" gap="small">
          {mayVerify(origin) && (
            <s-button
              accessibilityLabel={`${t("verify")}: ${origin.name}`}
              loading={busy === "verify"}
              disabled={off}
              onClick={() => void start("verify", { carriers: chosenOf(origin) })}
            >
              {t("verify")}
            </s-button>
          )}
          {maySync(origin) && (
            <s-button
              accessibilityLabel={`${t("sync")}: ${origin.name}`}
              loading={busy === "sync"}
              disabled={off}
              onClick={() => void start("sync")}
            >
              {t("sync")}
            </s-button>
          )}
        </s-stack>
      )}
    </s-stack>
  );
}
