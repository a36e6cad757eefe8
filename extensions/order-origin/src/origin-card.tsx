import { useRef, useState } from "preact/hooks";
import type { OrderOriginView } from "../../../app/views/order-origins.ts";
import { act } from "./app.ts";
import type { Action, Failure, Reply } from "./app.ts";
import { BadgeSkeleton, Skeleton, Cells, Fill } from "./skeletons.tsx";
import { Carriers } from "./carriers.tsx";
import { t, time } from "./host.ts";
import type { Place } from "./order.ts";
import { isHeldUp } from "./page.tsx";
import type { Origins } from "./use-origins.ts";

/** The parts of one origin that block and action share: its name, its state, and the answer to the last press. */

type Tone = "neutral" | "info" | "success" | "caution" | "warning" | "critical";

const TONES: Partial<Record<OrderOriginView["state"], Tone>> = {
  ready: "success",
  changing: "info",
  verifying: "info",
  unverified: "caution",
  waiting: "info",
  to_review: "warning",
  incomplete: "warning",
  drift: "caution",
  conflict: "critical",
  missing_there: "critical",
  refused_by_service: "critical",
  refused_by_carrier: "warning",
  parked: "critical",
};

/** Why an origin waits for its owner although it was confirmed. */
const CHOICES = ["adoption_choice", "template_taken"];

/** States for which the carriers' answers say the rest. */
const SAYS_ENOUGH: OrderOriginView["state"][] = ["ready", "verifying", "unverified", "refused_by_carrier"];

/** States that pass by themselves; they are explained only where nothing else would be shown. */
const PASSING: OrderOriginView["state"][] = ["changing", "waiting"];

interface CardProps {
  place: Place;
  origins: Origins;
  failure?: Failure | null;
  /**
   * Shown in place of the time of the last check, as long as it applies. What the connection's fault holds up is said at the top instead,
   * in the address's row, which takes the other one.
   */
  said?: string;
}

/**
 * What is known of the location so far, with skeletons for the rest until the app answers. Every later text has a row that is there from
 * the beginning: one for the carriers or the missing fields, another for the last answer or the time of the last check.
 */
export function OriginCard({ place, origins, failure, said }: CardProps) {
  const origin = originAt(place, origins);
  const asking = isAsking(place, origins);
  const lines = linesOf(place, origins);
  const carriers = origin !== null && mayBeVerified(origin);
  const elsewhere = origin !== null && origin.inShopify.length > 0;
  const taken = lines.length + (elsewhere ? 1 : 0);
  const heldUp = isHeldUp(origins);
  const address = (
    <s-text type="address" color="subdued">
      {origin ? origin.address.join(", ") : place.address}
    </s-text>
  );
  const status = (
    <Said
      failure={failure}
      words={said ?? (origin && !heldUp && PASSING.includes(origin.state) ? t(`note.${origin.state}`) : null)}
      checkedAtMs={origin?.checkedAtMs}
      timeZone={origins.view?.timeZone}
    />
  );
  const [first, last] = heldUp && said !== undefined ? [status, address] : [address, status];
  const awaited = asking || (origin !== null && origin.moving && taken === 0);
  return (
    <s-stack gap="small-200">
      <PlaceName place={place} origins={origins} />
      {first}
      {lines.map((line) => (
        <s-text key={line}>{line}</s-text>
      ))}
      {elsewhere && <s-link href={`shopify:admin/settings/locations/${origin.legacyId}`}>{t("link.location")}</s-link>}
      {carriers && <Carriers carriers={origin.carriers} />}
      {!carriers && hasRoom(place, origins) && taken < 2 && (
        <Cells key={taken} awaited={awaited}>
          <Fill taken={taken} awaited={awaited} />
        </Cells>
      )}
      {last}
    </s-stack>
  );
}

/** The location's name, and its state as a word. */
export function PlaceName({ place, origins }: { place: Place; origins: Origins }) {
  const origin = originAt(place, origins);
  const asking = isAsking(place, origins);
  return (
    <Cells awaited={asking}>
      {origin ? <OriginLink origin={origin} /> : <s-text type="strong">{place.name}</s-text>}
      {origin && <s-badge tone={TONES[origin.state] || "neutral"}>{stateWords(origin)}</s-badge>}
      {!origin && (asking ? <BadgeSkeleton /> : <Skeleton />)}
    </Cells>
  );
}

/** Where the shop chose no carrier, an origin without anything open is saved, and nobody verified it. */
export function stateWords({ state, carriers }: OrderOriginView): string {
  return t(state === "ready" && !carriers.some(({ chosen }) => chosen) ? "saved" : `state.${state}`);
}

/** The origin's name as a link to its page in the app. */
function OriginLink({ origin: { legacyId, name } }: { origin: OrderOriginView }) {
  return (
    <s-link href={`app:app/origins/${legacyId}`} accessibilityLabel={`${name}: ${t("link.origin")}`}>
      <s-text type="strong">{name}</s-text>
    </s-link>
  );
}

interface SaidProps {
  /** The failure of the last press. It is shown before anything else. */
  failure?: Failure | null;
  words?: string | null;
  checkedAtMs?: number | null;
  timeZone?: string | null;
}

/** One row that is always there, so that screen readers announce a new text and the layout does not shift. */
export function Said({ failure, words, checkedAtMs, timeZone }: SaidProps) {
  const line = failure ? t(`problem.${failure}`) : words;
  return (
    <s-stack direction="inline">
      <s-box accessibilityRole="status">{line && <s-text tone={failure ? "critical" : "auto"}>{line}</s-text>}</s-box>
      {!line &&
        (checkedAtMs ? (
          <s-text color="subdued">{t("checked", { when: time(checkedAtMs, timeZone) })}</s-text>
        ) : (
          <Skeleton />
        ))}
    </s-stack>
  );
}

/** Null: the app was not asked, has not answered, or does not know the location. */
export function originAt({ locationId }: Place, { view }: Origins): OrderOriginView | null {
  if (!view || view.connection === "none") return null;
  return view.origins.find((origin) => origin.locationId === locationId) ?? null;
}

/** Whether the app was asked and has not answered. */
export function isAsking({ locationId }: Place, { view, problem }: Origins): boolean {
  return locationId !== null && !view && !problem;
}

/** Whether room was kept for the origin's text. */
export function hasRoom({ locationId }: Place, { waited }: Origins): boolean {
  return waited || locationId !== null;
}

/** Whether the app does not know the location; without a connection there is nothing to wait for. */
function isUnknown(locationId: string, { view }: Origins): boolean {
  return view !== null && view.connection !== "none" && view.unknown.includes(locationId);
}

/** Whether a carrier may have an answer: not before the service has the address. */
export function mayBeVerified({ canVerify, carriers }: OrderOriginView): boolean {
  return canVerify || carriers.some(({ outcome }) => outcome !== "not_asked");
}

/** Plain sentences, with the most important first. */
export function linesOf(place: Place, origins: Origins): string[] {
  const kept = place.kept === null ? [] : [t("kept", { address: place.kept })];
  if (!place.locationId) return [t("deleted")];
  const origin = originAt(place, origins);
  if (!origin) return [...(isUnknown(place.locationId, origins) ? [t("unknown")] : []), ...kept];
  const { state, exclusion, form, inShopify, reason, move } = origin;
  if (exclusion) return [t(`exclusion.${exclusion}`), ...kept];
  const names = (of: { field: string }[]) => of.map(({ field }) => t(`field.${field}`)).join(", ");
  const asked = form?.fields ?? [];
  const missing = asked.filter(({ problem }) => problem && problem !== "unconfirmed");
  const doubtful = asked.filter(({ problem }) => problem === "unconfirmed");
  const when = move?.atMs ? time(move.atMs, origins.view?.timeZone) : "";
  return [
    ...(move ? [t(`note.move_${move.code}`, { when })] : []),
    ...(missing.length > 0 ? [t("missing", { fields: names(missing) })] : []),
    ...(doubtful.length > 0 ? [t("doubtful", { fields: names(doubtful) })] : []),
    ...(inShopify.length > 0 ? [t("inShopify", { fields: names(inShopify) })] : []),
    ...(state === "refused_by_service" && reason?.message ? [t("serviceSaid", { words: reason.message })] : []),
    ...([...SAYS_ENOUGH, ...PASSING].includes(state) ||
    // Its words name a button, which is not there now.
    (state === "parked" && isHeldUp(origins)) ||
    missing.length + doubtful.length + inShopify.length > 0
      ? []
      : [t(`note.${reason && CHOICES.includes(reason.code) ? reason.code : state}`)]),
    ...kept,
  ];
}

export interface Doing {
  /** The request under way, without its answer so far. */
  busy: Action | null;
  failure: Failure | null;
  /** Null: another request of this origin is under way. */
  start: (action: Action, body?: object) => Promise<Reply<unknown> | null>;
}

/** Sends one request of an origin at a time, and reads the origin again right after the answer. */
export function useDoing(origin: OrderOriginView | null, changed: Origins["changed"]): Doing {
  const [busy, setBusy] = useState<Action | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A ref, because React's state changes one render after a press.
  const asking = useRef(false);
  return {
    busy,
    failure,
    start: async (action, body) => {
      if (asking.current || !origin) return null;
      asking.current = true;
      setBusy(action);
      setFailure(null);
      const reply = await act(origin.legacyId, action, body);
      await changed(origin.locationId);
      asking.current = false;
      setBusy(null);
      if ("failure" in reply) setFailure(reply.failure);
      return reply;
    },
  };
}
