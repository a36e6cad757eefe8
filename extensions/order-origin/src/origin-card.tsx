import { useRef, useState } from "preact/hooks";
import type { OrderOriginView } from "../../../app/use-cases/views/order-origins.ts";
import { act } from "./app.ts";
import type { Deed, Failure, Told } from "./app.ts";
import { Carriers } from "./carriers.tsx";
import { t, time } from "./host.ts";
import type { Place } from "./order.ts";
import type { Origins } from "./use-origins.ts";

/** What block and action share of one origin: who it is, how it stands, and what was last asked of it. */

type Tone = "neutral" | "info" | "success" | "caution" | "warning" | "critical";

const TONES: Partial<Record<OrderOriginView["state"], Tone>> = {
  ready: "success",
  changing: "info",
  verifying: "info",
  waiting: "info",
  to_review: "warning",
  incomplete: "warning",
  drift: "caution",
  conflict: "critical",
  missing_there: "critical",
  refused_by_service: "critical",
  refused_by_carrier: "critical",
  parked: "critical",
};

/** Why an origin waits for its owner although it was confirmed. */
const CHOICES = ["adoption_choice", "template_taken"];

/** The carriers' own words say the rest. */
const SAYS_ENOUGH: OrderOriginView["state"][] = ["ready", "verifying", "refused_by_carrier"];

/** What is known of the place so far; with blanks as large as the rest will be, until the app has answered. */
export function OriginCard({ place, origins }: { place: Place; origins: Origins }) {
  const origin = originAt(place, origins);
  const asking = isAsking(place, origins);
  // The room stays that was kept for an answer.
  const unanswered = place.locationId !== null && origins.problem && !origins.view;
  return (
    <s-stack gap="small">
      <s-stack direction="inline" gap="small" alignItems="center">
        <s-text type="strong">{origin?.name ?? place.name}</s-text>
        {origin && <s-badge tone={TONES[origin.state] ?? "neutral"}>{t(`state.${origin.state}`)}</s-badge>}
        {asking && <s-badge>{BLANK}</s-badge>}
      </s-stack>
      <s-text type="address" color="subdued">
        {origin ? origin.address.join(", ") : place.address}
      </s-text>
      {linesOf(place, origins).map((line) => (
        <s-text key={line}>{line}</s-text>
      ))}
      {origin && origin.inShopify.length > 0 && (
        <s-link href={`shopify:admin/settings/locations/${origin.legacyId}`}>{t("link.location")}</s-link>
      )}
      {origin && mayBeVerified(origin) && <Carriers carriers={origin.carriers} />}
      {origin?.checkedAtMs && <s-text color="subdued">{t("checked", { when: time(origin.checkedAtMs) })}</s-text>}
      {asking && <Blanks />}
      {unanswered && (
        <>
          <s-text>{BLANK}</s-text>
          <s-text>{BLANK}</s-text>
        </>
      )}
    </s-stack>
  );
}

/** Null: the app was not asked, has not answered, or knows nothing of it. */
export function originAt({ locationId }: Place, { view }: Origins): OrderOriginView | null {
  if (!view || view.connection === "none") return null;
  return view.origins.find((origin) => origin.locationId === locationId) ?? null;
}

/** The app was asked and nothing has come yet. */
export function isAsking({ locationId }: Place, { view, problem }: Origins): boolean {
  return locationId !== null && !view && !problem;
}

/** As wide as what mostly comes, and as high as whatever does. */
const BLANK = "\u2007".repeat(16);

/** The carriers, and when. */
function Blanks() {
  return (
    <>
      <s-stack direction="inline" gap="small-200" accessibilityLabel={t("loading")}>
        <s-badge>{BLANK}</s-badge>
        <s-badge>{BLANK}</s-badge>
        <s-badge>{BLANK}</s-badge>
      </s-stack>
      <s-text>{BLANK}</s-text>
    </>
  );
}

export function isQuiet({ state }: OrderOriginView): boolean {
  return state === "not_included" || state === "paused";
}

/** Before the service has its address, no carrier has anything to say. */
function mayBeVerified({ canVerify, carriers }: OrderOriginView): boolean {
  return canVerify || carriers.some(({ outcome }) => outcome !== "not_asked");
}

/** Plain sentences, the most important first. */
function linesOf(place: Place, origins: Origins): string[] {
  const kept = place.kept === null ? [] : [t("kept", { address: place.kept })];
  if (!place.locationId) return [t("deleted")];
  const origin = originAt(place, origins);
  if (!origin) return [...(origins.view?.unknown.includes(place.locationId) ? [t("unknown")] : []), ...kept];
  const { state, exclusion, form, inShopify, reason } = origin;
  if (exclusion) return [t(`exclusion.${exclusion}`), ...kept];
  const names = (of: { field: string }[]) => of.map(({ field }) => t(`field.${field}`)).join(", ");
  const asked = form?.fields ?? [];
  const missing = asked.filter(({ problem }) => problem && problem !== "unconfirmed");
  const doubtful = asked.filter(({ problem }) => problem === "unconfirmed");
  return [
    ...(missing.length > 0 ? [t("missing", { fields: names(missing) })] : []),
    ...(doubtful.length > 0 ? [t("doubtful", { fields: names(doubtful) })] : []),
    ...(inShopify.length > 0 ? [t("inShopify", { fields: names(inShopify) })] : []),
    ...(state === "refused_by_service" && reason?.message ? [t("serviceSaid", { words: reason.message })] : []),
    ...(SAYS_ENOUGH.includes(state) || missing.length + doubtful.length + inShopify.length > 0
      ? []
      : [t(`note.${reason && CHOICES.includes(reason.code) ? reason.code : state}`)]),
    ...kept,
  ];
}

/** There before it has anything to say, so that it is heard. */
export function FailureLine({ failure }: { failure: Failure | null }) {
  return (
    <s-box accessibilityRole="status">{failure && <s-text tone="critical">{t(`problem.${failure}`)}</s-text>}</s-box>
  );
}

export interface Doing {
  /** What was asked and has not been answered. */
  busy: Deed | null;
  failure: Failure | null;
  /** Null: something else is being asked already. */
  start: (deed: Deed, body?: object) => Promise<Told<unknown> | null>;
}

/** One thing at a time is asked of an origin; what became of it is looked at right after. */
export function useDoing({ legacyId, locationId }: OrderOriginView, changed: Origins["changed"]): Doing {
  const [busy, setBusy] = useState<Deed | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  // State is a render late, and a press is not.
  const asking = useRef(false);
  return {
    busy,
    failure,
    start: async (deed, body) => {
      if (asking.current) return null;
      asking.current = true;
      setBusy(deed);
      setFailure(null);
      const reply = await act(legacyId, deed, body);
      await changed(locationId);
      asking.current = false;
      setBusy(null);
      if ("failure" in reply) setFailure(reply.failure);
      return reply;
    },
  };
}
