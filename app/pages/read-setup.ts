import { legacyIdOf } from "../domain/location-id.ts";
import type { Attention } from "../domain/readiness.ts";
import type { Services } from "../ports.ts";
import type { OriginStatus } from "../readings/origin-status.ts";
import type { ShopOrigins } from "../readings/read-origin-facts.ts";
import type { SetupPlace, SetupStep, SetupView } from "../views/setup.ts";
import type { ShopHealth } from "../views/shell.ts";
import { connectionView } from "./connection-view.ts";
import { readReview } from "./read-review.ts";

/** How many confirmed locations are named. */
const NAMED = 10;

export interface SetupFacts {
  known: ShopOrigins;
  /** Of the locations that are origins. */
  statuses: OriginStatus[];
  health: ShopHealth;
  /** The locations are being read for the first time. */
  reading: boolean;
}

/** How far the first steps are; null once they were put away. */
export async function readSetup(services: Services, facts: SetupFacts): Promise<SetupView | null> {
  const { known, statuses } = facts;
  const { shop: record, connection } = known;
  if (record.guideDismissedAtMs !== null) return null;
  const confirmed = statuses.filter(isConfirmed);
  const step = stepOf(facts, confirmed);
  const isEachConfirmed = statuses.length > 0 && confirmed.length === statuses.length;
  const places = confirmed.map(placeOf);
  const shown = places.toSorted((a, b) => ORDER[a.attention] - ORDER[b.attention]).slice(0, NAMED);
  return {
    step,
    done: {
      connect: step !== "connect",
      confirm: isEachConfirmed,
      save: isEachConfirmed && confirmed.every(isSettled),
    },
    connection: connection && (await connectionView(services, connection)),
    review: step === "confirm" ? await readReview(services, { shop: record.shop }) : null,
    places: shown,
    counts: {
      confirmed: confirmed.length,
      saved: places.filter(({ saved }) => saved !== null).length,
      total: statuses.length,
    },
    verifies: record.policies.verifyAfterChange && record.policies.carriers.length > 0,
  };
}

const ORDER: Record<Attention, number> = { yours: 0, itself: 1, none: 2 };

function stepOf({ known, statuses, health, reading }: SetupFacts, confirmed: OriginStatus[]): SetupStep {
  if (health === "none" || health === "invalid" || health === "unreadable" || health === "unconfirmed")
    return "connect";
  // Before the book was read nobody can say what it has already. Once somebody has confirmed, nothing typed is taken away again.
  const isUnread = confirmed.length === 0 && known.connection?.bookReadAtMs == null;
  if (reading || isUnread) return "read";
  if (statuses.length === 0 || confirmed.length < statuses.length) return "confirm";
  if (!confirmed.every(isSettled)) return "save";
  return confirmed.some(({ outlook }) => outlook.attention === "itself") ? "verify" : "finished";
}

/** The account had it once: what changed since, here, in Shopify or there, does not undo the step. */
function isSettled({ origin, state }: OriginStatus): boolean {
  return isKept(origin) || state === "paused";
}

function isKept({ link }: OriginStatus["origin"]): boolean {
  return link !== null && link.syncedAtMs !== null;
}

/** Else it waits for the owner's word, in Review and here. Where that is asked for once more, the list of what is to be done has it. */
function isConfirmed({ origin, state }: OriginStatus): boolean {
  return isKept(origin) || (state !== "to_review" && state !== "incomplete");
}

/** In these states the account holds what it should. */
const AS_SAVED: readonly OriginStatus["state"][] = ["ready", "verifying", "unverified", "refused_by_carrier"];

function placeOf({ origin, state, outlook, standings }: OriginStatus): SetupPlace {
  return {
    legacyId: legacyIdOf(origin.location.locationId),
    name: origin.location.name,
    state,
    attention: outlook.attention,
    standings,
    saved: isThere(origin) ? (outlook.ships !== "no" && AS_SAVED.includes(state) ? "as_it_is" : "before") : null,
  };
}

/** What is kept, unless somebody has deleted it there. */
function isThere(origin: OriginStatus["origin"]): boolean {
  return isKept(origin) && origin.link!.missingSinceMs === null;
}
