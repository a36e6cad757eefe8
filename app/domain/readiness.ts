import { closedReason } from "./closed-reason.ts";
import { keepsFailing } from "./failing.ts";
import type { AddressField, ProblemCode } from "./address/address.ts";
import { exclusionOf, isLockedOut, isPending, isStopped, needsChoiceOfTemplate, originState } from "./origin-state.ts";
import type { OriginFacts, OriginState } from "./origin-state.ts";
import { mayBeTheirs } from "./plan/compared-fields.ts";
import { carrierStandings, isAwaited, isFinished, isVerdict } from "./verification/carrier-standing.ts";
import type { CarrierStanding } from "./verification/carrier-standing.ts";

/**
 * What an owner wants to know of an origin, as three separate things: whether labels can be made from it, whether it waits for the owner, and
 * what happens by itself. The list, an origin's page, Home and the order's page all say these. Pure.
 */
export interface Outlook {
  ships: Shipping;
  attention: Attention;
}

/**
 * By what the account holds now, as last seen. `yes`: every chosen carrier that verifies has accepted it. `some`: not every one has.
 * `unverified`: none has. `no`: the account has no address for it, or one of another type.
 */
export type Shipping = "yes" | "some" | "unverified" | "no";

/** Who has something to do next. `none`: nobody, and for an origin that is not in use nobody is to. */
export type Attention = "yours" | "itself" | "none";

/** `connection`: whose it is depends on what stops it. */
const ATTENTION_OF: Record<OriginState, Attention | "connection"> = {
  not_included: "none",
  paused: "none",
  to_review: "yours",
  incomplete: "yours",
  changing: "itself",
  conflict: "yours",
  missing_there: "yours",
  refused_by_service: "yours",
  refused_by_carrier: "yours",
  drift: "yours",
  parked: "yours",
  unverified: "yours",
  waiting: "connection",
  verifying: "itself",
  ready: "none",
};

export function outlookOf(facts: OriginFacts, state = originState(facts)): Outlook {
  return { ships: shippingOf(facts), attention: attentionOf(facts, state) };
}

function attentionOf(facts: OriginFacts, state: OriginState): Attention {
  const attention = ATTENTION_OF[state];
  if (attention !== "connection") return attention;
  return closedReason(facts.connection) !== null || isStopped(facts) ? "yours" : "itself";
}

function shippingOf(facts: OriginFacts): Shipping {
  const { link } = facts;
  if (exclusionOf(facts) !== null || !link || link.syncedAtMs === null || link.missingSinceMs !== null) return "no";
  // Parcels leave from no address of another type.
  if (link.differences.some(({ field }) => !mayBeTheirs(field))) return "no";
  // Of the address that stands there, whatever is to replace it.
  const chosen = carrierStandings({ ...facts, meantKey: null }).filter((standing) => standing.chosen);
  if (chosen.every(isFinished)) return "yes";
  return chosen.some((standing) => standing.outcome === "accepted" && isVerdict(standing)) ? "some" : "unverified";
}

const FAILS = { fails: true } as const;
const FOLLOWS = { follows: true } as const;
const GONE = { gone: true } as const;
const AGAIN = { again: true } as const;

const LATER = { later: true } as const;

/** An item that is not met is the owner's next step, unless it `follows` by itself or can be done `later` only, after the others. */
interface Next {
  follows?: true;
  later?: true;
}

export type ReadinessItem = Next &
  (
    | { code: "connection" | "included" | "confirmed" | "agreed"; met: boolean }
    /**
     * `fails`: we keep trying. `gone`: somebody deleted the template there, and the owner decides what follows. `again`: it is there, and a
     * change of it is not.
     */
    | { code: "saved_there"; met: boolean; fails?: true; gone?: true; again?: true }
    | { code: "field"; met: boolean; field: AddressField; problem: ProblemCode }
    | {
        code: "carrier";
        met: boolean;
        carrier: string;
        outcome: CarrierStanding["outcome"];
        stale: boolean;
        status: string | null;
        meaning: CarrierStanding["meaning"];
        question?: NonNullable<CarrierStanding["question"]>;
      }
  );

/**
 * What must hold before an origin is ready, in the order in which a person would do it. Only where the origin has the owner's attention
 * (`Outlook.attention`) is an item the owner's: elsewhere what is open follows by itself.
 */
export function readinessOf(facts: OriginFacts): ReadinessItem[] {
  const { details, composed, link, item } = facts;
  const { attention } = outlookOf(facts);
  const errors = composed.problems.filter((problem) => problem.severity === "error");
  const differs = (link?.differences.length ?? 0) > 0;
  const fails = item !== null && keepsFailing(item, facts.nowMs);
  const connected = closedReason(facts.connection) === null;
  const gone = link?.missingSinceMs != null;
  // What a closed connection stopped goes on by itself once the connection is open again.
  const stuck = fails || (isStopped(facts) && connected);
  const isThere = link !== null && link.syncedAtMs !== null && !gone;
  // The location has moved, and how its new address is split waits for the owner: the account holds the one before.
  const isLapsed = composed.splitLapsed && errors.length > 0;
  const hasMoved = isThere && isLapsed;
  const saved = isThere && !hasMoved && !isPending(item) && !facts.behind && !stuck && !isStopped(facts);
  const included = exclusionOf(facts) === null && !details?.paused && facts.policies.syncOn;
  const confirmed = details !== null && details.confirmedAtMs !== null && !needsChoiceOfTemplate(item);
  const next = (isOwners: boolean, isByItself: boolean): Next => {
    if (attention === "yours" && isOwners) return {};
    return attention !== "none" && isByItself ? FOLLOWS : LATER;
  };
  const items: ReadinessItem[] = [
    // Where nothing of the origin waits for it, the banner on every page says it, and here is nothing to do.
    ...(attention === "none" && isLockedOut(facts.connection)
      ? []
      : [{ code: "connection", met: connected, ...next(true, false) } as const]),
    { code: "included", met: included, ...next(false, false) },
    ...errors.map(
      ({ field, code }) => ({ code: "field", met: false, field, problem: code, ...next(true, false) }) as const,
    ),
    // Its fields are to be looked at again, so that nothing of it was reviewed.
    ...(isLapsed
      ? []
      : // Before the first account it is confirmed where all locations are, and an origin's page has no button for it.
        [{ code: "confirmed", met: confirmed, ...next(facts.connection !== null, false) } as const]),
    // What was saved differs from what is there, and that is the line below.
    ...(saved && differs
      ? []
      : [
          {
            ...({ code: "saved_there", met: saved } as const),
            ...next(stuck || gone, !stuck && !gone),
            ...(fails ? FAILS : {}),
            ...(gone ? GONE : {}),
            ...(isThere && !saved ? AGAIN : {}),
          },
        ]),
    ...(differs ? [{ code: "agreed", met: false, ...next(true, true) } as const] : []),
    ...carrierStandings(facts)
      .filter((standing) => standing.chosen)
      .map((standing) => (hasMoved && hasSpoken(standing) ? { ...standing, stale: true } : standing))
      .map((standing): ReadinessItem => {
        const { carrier, outcome, stale, status, meaning, question } = standing;
        // A question that a closed connection holds back is sent by itself once the connection is open.
        const isHeldBack = facts.verifications.some((each) => each.carrier === carrier && each.question === "wanted");
        const isAsked = (isAwaited(standing) || isHeldBack) && !isVerdict(standing);
        // Nobody can ask about an address that is not there; what is saved is asked about by itself where the shop wants that.
        // What the owner decides about a difference comes first, and may bring back the address that the carrier spoke of.
        const isOpen = !saved || (differs && stale);
        const isAskedLater = facts.policies.verifyAfterChange && !saved && !stuck && !gone;
        // What waits to be saved leaves the address as it was refused: else the refusal would be stale.
        const isRefused = outcome === "refused" && isVerdict(standing);
        return {
          ...{ code: "carrier", met: isFinished(standing), carrier, outcome, stale, status, meaning },
          ...(question ? { question } : {}),
          ...next((!isOpen && !isAsked) || isRefused, isAsked || isAskedLater),
        } as ReadinessItem;
      }),
  ];
  return items.map((each) => (each.met ? withoutNext(each) : each));
}

const hasSpoken = ({ outcome }: CarrierStanding): boolean => outcome !== "not_asked" && outcome !== "wanted";

/** Whether the account may hold another address than the location is to have: labels and carriers go by what it holds. */
export function goesByAccount(items: readonly ReadinessItem[]): boolean {
  return items.some(({ code, met }) => !met && (code === "agreed" || code === "saved_there"));
}

function withoutNext({ follows: _follows, later: _later, ...item }: ReadinessItem): ReadinessItem {
  return item as ReadinessItem;
}

/** Whose turn an item is: done, the owner's next step, what comes by itself, or what comes after the owner's step. */
export type Turn = "met" | "yours" | "itself" | "later";

export function turnOf({ met, follows, later }: ReadinessItem): Turn {
  if (met) return "met";
  return follows ? "itself" : later ? "later" : "yours";
}

/** How many presses or forms the owner's items are: one form completes all fields, and one press asks all carriers. */
export function countSteps(items: readonly ReadinessItem[]): number {
  const steps = items
    .filter((item) => turnOf(item) === "yours")
    .map((item) => {
      if (item.code === "field" || item.code === "confirmed") return "form";
      return item.code === "carrier" ? `carrier ${item.outcome === "refused"}` : item.code;
    });
  return new Set(steps).size;
}
