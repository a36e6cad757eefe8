import { render } from "preact";
import type { OrderOriginView } from "../../../app/use-cases/views/order-origins.ts";
import { host, t } from "./host.ts";
import { handOver } from "./notes.ts";
import { readOrder } from "./order.ts";
import { FailureLine, isAsking, isQuiet, OriginCard, originAt, useDoing } from "./origin-card.tsx";
import { Page } from "./page.tsx";
import { useOrigins } from "./use-origins.ts";
import type { FirstReading, Origins } from "./use-origins.ts";

/** Shopify mostly says sooner what the order leaves from; then the first thing drawn has the size of the last. */
const ORDER_WITHIN_MS = 1_000;

export default async function block(): Promise<void> {
  const reading = readOrder(host.orderId);
  const soon = new Promise<null>((resolve) => setTimeout(resolve, ORDER_WITHIN_MS, null));
  const order = await Promise.race([reading, soon]);
  render(<Block order={order} reading={reading} />, document.body);
}

function Block(first: FirstReading) {
  const origins = useOrigins(first);
  const { places, view } = origins;
  const summary = view?.origins.map(({ name, state }) => `${name}: ${t(`state.${state}`)}`).join(" · ");
  return (
    <s-admin-block heading={t("title")} collapsedSummary={summary ?? ""}>
      <Page origins={origins}>
        {places?.map((place, index) => {
          const origin = originAt(place, origins);
          return (
            <s-stack key={place.locationId ?? place.name} gap="small">
              {index > 0 && <s-divider />}
              <OriginCard place={place} origins={origins} />
              {origin && <Buttons origin={origin} origins={origins} />}
              {isAsking(place, origins) && <ButtonBlanks />}
            </s-stack>
          );
        })}
      </Page>
    </s-admin-block>
  );
}

function Buttons({ origin, origins }: { origin: OrderOriginView; origins: Origins }) {
  const { busy, failure, start } = useDoing(origin, origins.changed);
  const chosen = origin.carriers.filter((one) => one.chosen).map(({ carrier }) => carrier);
  // The action of the same page, which reads which location it is opened for.
  const finish = () =>
    void handOver(origin.locationId).then(() => host.shopify.navigation?.navigate("extension://order-origin"));
  return (
    <s-stack gap="small">
      <s-stack direction="inline" gap="small" alignItems="center">
        {origin.form && <s-button onClick={finish}>{t(origin.form.fields.length > 0 ? "finish" : "review")}</s-button>}
        {origin.canVerify && chosen.length > 0 && (
          <s-button
            loading={busy === "verify"}
            disabled={busy !== null}
            onClick={() => void start("verify", { carriers: chosen })}
          >
            {t("verify")}
          </s-button>
        )}
        {origin.canSync && !origin.form && (
          <s-button loading={busy === "sync"} disabled={busy !== null} onClick={() => void start("sync")}>
            {t("sync")}
          </s-button>
        )}
        <s-link href={`app:app/origins/${origin.legacyId}`}>{t(isQuiet(origin) ? "link.quiet" : "link.origin")}</s-link>
      </s-stack>
      <FailureLine failure={failure} />
    </s-stack>
  );
}

/** Where the buttons will be. */
function ButtonBlanks() {
  return (
    <s-stack direction="inline" gap="small">
      <s-button disabled>{t("verify")}</s-button>
      <s-button disabled>{t("sync")}</s-button>
    </s-stack>
  );
}
