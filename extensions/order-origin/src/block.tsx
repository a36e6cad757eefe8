import { render } from "preact";
import type { OrderOriginView } from "../../../app/use-cases/views/order-origins.ts";
import { handOver } from "./hand-over.ts";
import { host, t } from "./host.ts";
import { FailureLine, isQuiet, OriginCard, useDoing } from "./origin-card.tsx";
import { Page } from "./page.tsx";
import { useOrigins } from "./use-origins.ts";
import type { Origins } from "./use-origins.ts";

export default function block(): void {
  render(<Block />, document.body);
}

function Block() {
  const origins = useOrigins();
  const found = origins.view?.origins ?? [];
  const summary = found.map(({ name, state }) => `${name}: ${t(`state.${state}`)}`).join(" · ");
  return (
    <s-admin-block heading={t("title")} collapsedSummary={summary}>
      <Page origins={origins}>
        {origins.places?.map((place, index) => {
          const origin = found.find(({ locationId }) => locationId === place.locationId);
          return (
            <s-stack key={place.locationId ?? place.name} gap="small">
              {index > 0 && <s-divider />}
              <OriginCard place={place} origin={origin} />
              {origin && <Buttons origin={origin} origins={origins} />}
            </s-stack>
          );
        })}
      </Page>
    </s-admin-block>
  );
}

function Buttons({ origin, origins }: { origin: OrderOriginView; origins: Origins }) {
  const { busy, failure, start } = useDoing(origin.legacyId, origins.look);
  const chosen = origin.carriers.filter((one) => one.chosen).map(({ carrier }) => carrier);
  // The action of the same page, which reads which location it is opened for; when it is done nobody tells the block.
  const finish = () => {
    origins.watch();
    void handOver(origin.locationId).then(() => host.shopify.navigation?.navigate("extension://order-origin"));
  };
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
