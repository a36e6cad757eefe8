import { useRef, useState } from "preact/hooks";
import type { OrderOriginView } from "../../../app/use-cases/views/order-origins.ts";
import { act } from "./app.ts";
import type { Deed, Failure, Told } from "./app.ts";
import { Carriers } from "./carriers.tsx";
import { t, time } from "./host.ts";
import type { Place } from "./order.ts";

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

export function OriginCard({ place, origin }: { place: Place; origin: OrderOriginView | undefined }) {
  return (
    <s-stack gap="small">
      <s-stack direction="inline" gap="small" alignItems="center">
        <s-text type="strong">{origin?.name ?? place.name}</s-text>
        {origin && <s-badge tone={TONES[origin.state] ?? "neutral"}>{t(`state.${origin.state}`)}</s-badge>}
      </s-stack>
      {origin && <s-text type="address">{origin.address.join(", ")}</s-text>}
      {linesOf(place, origin).map((line) => (
        <s-text key={line} color="subdued">
          {line}
        </s-text>
      ))}
      {origin && origin.inShopify.length > 0 && (
        <s-link href={`shopify:admin/settings/locations/${origin.legacyId}`}>{t("link.location")}</s-link>
      )}
      {origin && mayBeVerified(origin) && <Carriers carriers={origin.carriers} />}
      {origin?.checkedAtMs && <s-text color="subdued">{t("checked", { when: time(origin.checkedAtMs) })}</s-text>}
    </s-stack>
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
function linesOf(place: Place, origin: OrderOriginView | undefined): string[] {
  const kept = place.kept === null ? [] : [t("kept", { address: place.kept })];
  if (!place.locationId) return [t("deleted")];
  if (!origin) return [t("unknown"), ...kept];
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
export function useDoing(legacyId: string, look: () => Promise<void>): Doing {
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
      await look();
      asking.current = false;
      setBusy(null);
      if ("failure" in reply) setFailure(reply.failure);
      return reply;
    },
  };
}
