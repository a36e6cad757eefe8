import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OrderOriginsView, OrderOriginView } from "../../../app/views/order-origins.ts";
import { DetailsForm, useAnswers } from "./details-form.tsx";
import { host, t } from "./host.ts";
import { takeOver } from "./change-notices.ts";
import { readOrder } from "./order.ts";
import type { Place } from "./order.ts";
import { OriginCard, originAt, Said, useDoing } from "./origin-card.tsx";
import { isHeldUp, noticeOf, Page } from "./page.tsx";
import { useOrigins } from "./use-origins.ts";
import type { FirstReading, Origins } from "./use-origins.ts";

export default function action(): void {
  render(<Action reading={readOrder(host.orderId)} />, document.body);
}

function Action({ reading }: FirstReading) {
  const origins = useOrigins({ reading });
  const [chosen, choose] = useState<string | null>(null);
  useEffect(() => void takeOver().then((opened) => opened && choose(opened)), []);
  const { places, view } = origins;
  const keyOf = ({ locationId, name }: Place) => locationId ?? name;
  // The first location that needs somebody.
  const first = places?.find((place) => originAt(place, origins)?.form) ?? places?.[0];
  const place = places?.find((one) => keyOf(one) === chosen) ?? first;
  const origin = place && originAt(place, origins);
  // The list in the app shows as many as any order ships from.
  const ids = (places ?? []).flatMap(({ locationId }) => (locationId ? [locationId.replace(/^.*\//, "")] : []));
  const body = places && place && (
    <s-stack gap="base">
      {places.length > 1 && (
        <s-select label={t("location")} value={keyOf(place)} onChange={(event) => choose(event.currentTarget.value)}>
          {places.map((one) => (
            <s-option key={keyOf(one)} value={keyOf(one)}>
              {one.name}
            </s-option>
          ))}
        </s-select>
      )}
      {ids.length > 1 && <s-link href={`app:app/origins?locations=${ids.join(",")}`}>{t("link.origins")}</s-link>}
      <OriginCard place={place} origins={origins} said={isHeldUp(origins) ? noticeOf(origins)?.words : undefined} />
    </s-stack>
  );
  if (view && origin) {
    return (
      <Chosen key={origin.locationId} origin={origin} origins={origins} view={view}>
        {body}
      </Chosen>
    );
  }
  return (
    <s-admin-action heading={t("action")} loading={!places}>
      <Page origins={origins}>{body}</Page>
      <Close />
    </s-admin-action>
  );
}

interface ChosenProps {
  origin: OrderOriginView;
  origins: Origins;
  view: OrderOriginsView;
  children: preact.ComponentChildren;
}

function Chosen({ origin, origins, view, children }: ChosenProps) {
  const { busy, failure, start } = useDoing(origin, origins.changed);
  const { answers, type, refuse, forget } = useAnswers();
  const [carriers, setCarriers] = useState(origin.carriers.filter((one) => one.chosen).map(({ carrier }) => carrier));
  const { form } = origin;

  const save = async () => {
    if (!form) return;
    const { revision, readFrom, fields } = form;
    const values = Object.fromEntries(fields.map(({ field, value }) => [field, answers.values[field] ?? value]));
    const reply = await start("details", { revision, readFrom, values });
    if (!reply) return;
    if ("value" in reply) forget();
    else refuse(reply.problems ?? []);
  };

  return (
    <s-admin-action heading={t("action")}>
      <Page origins={origins} said={failure}>
        {children}
        {form && <DetailsForm form={form} answers={answers} onInput={type} disabled={busy !== null} />}
        {!form && origin.canVerify && (
          <s-choice-list
            multiple
            name="carriers"
            label={t("carriers")}
            values={carriers}
            disabled={busy !== null}
            onChange={(event) => setCarriers(event.currentTarget.values)}
          >
            {view.carriers.map(({ carrier, name }) => (
              <s-choice key={carrier} value={carrier}>
                {name}
              </s-choice>
            ))}
          </s-choice-list>
        )}
        <Said failure={failure} />
      </Page>
      {form && (
        <s-button
          slot="primary-action"
          variant="primary"
          loading={busy === "details"}
          disabled={busy !== null}
          onClick={() => void save()}
        >
          {t(form.fields.length > 0 ? "save" : "confirm")}
        </s-button>
      )}
      {!form && origin.canVerify && (
        <s-button
          slot="primary-action"
          variant="primary"
          loading={busy === "verify"}
          disabled={busy !== null || carriers.length === 0}
          onClick={() => void start("verify", { carriers })}
        >
          {t("verify")}
        </s-button>
      )}
      {origin.canSync && !form && (
        <s-button
          slot="secondary-actions"
          loading={busy === "sync"}
          disabled={busy !== null}
          onClick={() => void start("sync")}
        >
          {t("sync")}
        </s-button>
      )}
      <Close />
    </s-admin-action>
  );
}

function Close() {
  return (
    <s-button slot="secondary-actions" onClick={() => host.shopify.close?.()}>
      {t("close")}
    </s-button>
  );
}
