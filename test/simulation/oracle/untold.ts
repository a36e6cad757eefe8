import { legacyIdOf } from "../../../app/domain/location-id.ts";
import type { HomeView, Trouble } from "../../../app/views/home.ts";
import type { FailureView } from "../../../app/views/failure.ts";
import type { OriginView } from "../../../app/views/origin.ts";
import type { Pages } from "../story/pages.ts";
import type { Still } from "./still.ts";

/** When the service last answered a shop well; null if it never did. */
export type LastAnswered = (shop: string) => number | null;

/** Everything that stands still and that no page of the app names with a reason. */
export async function untoldOf(
  pages: Pages,
  { still, lastAnswered }: { still: readonly Still[]; lastAnswered: LastAnswered },
): Promise<string[]> {
  const untold: string[] = [];
  for (const [shop, those] of Map.groupBy(still, (each) => each.shop)) {
    const shell = await pages.shell(shop);
    const home = await pages.home(shop);
    // Every page begins with the shell's banner, so one banner tells about everything.
    if (shell?.shopify || (shell && SAYS_WHY.includes(shell.connection.health))) continue;
    // The banner of a failing connection explains what stands still only while the service answers nothing.
    const fails = shell?.connection.health === "failing" && shell.connection.fault !== null;
    for (const each of those) {
      if (fails && (lastAnswered(shop) ?? 0) <= each.sinceMs) continue;
      const told = home !== null && (await isTold(pages, { home, still: each }));
      if (!told) untold.push(`${each.words}, and no page says so`);
    }
  }
  return untold;
}

const SAYS_WHY: readonly string[] = ["none", "invalid", "unreadable", "unconfirmed"];

async function isTold(pages: Pages, { home, still }: { home: HomeView; still: Still }): Promise<boolean> {
  if (still.what === "connection") return false;
  if (still.what === "question") return hasTrouble(home, ["verification"]) || home.needs.length > 0;
  const { workItem } = still;
  switch (workItem.kind) {
    case "reconcile":
      if (hasTrouble(home, ["book", "locations", "look"])) return true;
      // A run that a restart began anew: Home names the work item and since when it fails. Home gives the reason again once the run has
      // ended.
      return still.reasonForMs <= BEGUN_WITHIN_MS && home.troubles.some(({ trouble }) => trouble === "look");
    case "verification":
      return hasTrouble(home, ["verification"]);
    case "move":
      return hasTrouble(home, ["waiting"]);
    case "template":
      if (hasTrouble(home, ["template", "held", "waiting"])) return true;
      return isPassing((await pages.change(workItem.shop, workItem.key))?.code ?? null, still.reasonForMs);
    default:
      return isOriginTold(pages, { home, still });
  }
}

function hasTrouble({ troubles }: HomeView, names: readonly Trouble[]): boolean {
  return troubles.some(({ trouble, failure }) => names.includes(trouble) && isReason(failure));
}

/**
 * Whether the owner is told: Home names the origin among what needs its owner, or the origin's page says what it waits for and Home names
 * what fails there.
 */
async function isOriginTold(
  pages: Pages,
  { home, still: { workItem, reasonForMs } }: { home: HomeView; still: Still & { what: "work item" } },
): Promise<boolean> {
  const { shop, key, state } = workItem;
  const named = home.needs.filter(({ origins }) => origins.some(({ legacyId }) => legacyId === legacyIdOf(key)));
  if (state === "parked") return named.some(({ need, failure }) => need === "parked" && isReason(failure));
  if (named.some(({ need, failure }) => need !== "unverified" && (need !== "parked" || isReason(failure)))) return true;
  if (isNamedWaiting(home, key)) return true;
  const page = await pages.origin(shop, key);
  if (!page) return false;
  if (state === "blocked") return PUT_AWAY.includes(page.state);
  // What the origin waited for is over and its run has begun, so its page shows it as under way.
  if (page.state === "changing") return reasonForMs <= BEGUN_WITHIN_MS;
  return page.state === "waiting" && (waitsForTold(home, page) || isPassing(page.reasonCode, reasonForMs));
}

/** Home names only the first few of several that wait. */
function isNamedWaiting({ troubles }: HomeView, locationId: string): boolean {
  return troubles.some(
    ({ trouble, failure, count, origins }) =>
      trouble === "waiting" &&
      isReason(failure) &&
      (count > origins.length || origins.some(({ legacyId }) => legacyId === legacyIdOf(locationId))),
  );
}

const BEGUN_WITHIN_MS = 60_000;

/** States that the owner has chosen, and that the origin's page shows. */
const PUT_AWAY: readonly string[] = ["paused", "not_included"];

function waitsForTold(home: HomeView, { failure, reasonCode }: OriginView): boolean {
  // The origin's own page names what holds its template.
  if (reasonCode === "held") return isReason(failure);
  return failure?.code != null && hasTrouble(home, ["book", "locations", "look"]);
}

/** Reasons that a page calls over in a minute or two. */
const PASSES: readonly string[] = ["quarantine", "absence_unconfirmed", "location_unconfirmed", "book_unconfirmed"];
const PASSES_WITHIN_MS = 4 * 60_000;
/** A replica of Shopify's stands still for ten minutes at most, and is asked every two. */
const CATCHES_UP_WITHIN_MS = 13 * 60_000;

function isPassing(reasonCode: OriginView["reasonCode"], reasonForMs: number): boolean {
  if (reasonCode === "location_behind") return reasonForMs <= CATCHES_UP_WITHIN_MS;
  return reasonCode !== null && PASSES.includes(reasonCode) && reasonForMs <= PASSES_WITHIN_MS;
}

function isReason(failure: FailureView | null): boolean {
  return failure !== null && failure.code !== null && failure.sinceMs !== null;
}
