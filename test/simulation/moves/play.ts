import { addressText } from "../../../app/domain/address/text.ts";
import { placeIn } from "../../../app/domain/address/place.ts";
import { hourMs } from "../../../app/domain/zone-days.ts";
import { NO_ADDRESS } from "../../../app/domain/address/address.ts";
import { cancelMove, changeDay, makeComingAgain, planMove, pressMove } from "../../../app/moves/change-move.ts";
import { settleHeld } from "../../../app/moves/settle-held.ts";
import type { Services } from "../../../app/ports.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import { mexicanAddress } from "../../fakes/world.ts";
import { moveOf, webhook } from "../people/stage.ts";
import type { At, Stage } from "../people/stage.ts";

/**
 * A location moves, and its owner and Shopify do what people do around that day. It draws from its own stream of random numbers, so that
 * stories without it do not change.
 */

export const MOVE_KINDS = ["plan", "press", "call off", "another day", "make again", "choose", "shown in Shopify"].map(
  (what) => `moving day: ${what}`,
);

const STREET = "Calle Mudanza";
const MINUTE_MS = 60_000;

/** Plays one moving day of a location, from its planning until `lastsMs` and some minutes of the calm. */
export function playMovingDay(
  stage: Stage,
  { at, lastsMs, random }: { at: At; lastsMs: number; random: SeededRandom },
) {
  const number = String(random.between(1, 99));
  const act = (afterMs: number, what: string, does: (services: Services) => Promise<{ kind: string }>) =>
    stage.after(afterMs, () => {
      const services = stage.visit();
      if (!services) return;
      stage.timeline.tell("owner", () => `moving day: ${what} (${at.shop}, ${at.locationId})`);
      void does(services).then(
        ({ kind }) => {
          if (kind === "done") stage.tally.count(`moving day: ${what}`);
          else stage.timeline.tell("owner", () => `moving day: ${what}: ${kind}`);
        },
        () => undefined,
      );
    });
  const early = () => random.between(2_000, lastsMs / 2);
  const late = () => random.between(lastsMs / 2, lastsMs + 3 * MINUTE_MS);

  const isByPress = random.chance(0.4);
  // Whoever finds no process, or an account that is closed, comes again.
  for (const afterMs of [early(), early() + 20_000, lastsMs + 5_000])
    act(afterMs, "plan", (services) => plan(stage, services, { at, number, isByPress, random }));
  if (isByPress || random.chance(0.2)) for (let count = 0; count < 2; count += 1) act(late(), "press", pressed);
  if (random.chance(0.15)) act(late(), "call off", calledOff);
  if (random.chance(0.1))
    act(late(), "another day", async (services) => {
      const hour = hourAfter(stage, random.between(1, 2) * MINUTE_MS);
      return noteHour(stage, at, hour, await changeDay(services, { ...at, day: { hour, keepFormer: true } }));
    });
  for (let count = 0; count < 2; count += 1) act(late(), "make again", (services) => makeComingAgain(services, at));
  if (random.chance(0.7)) stage.after(random.chance(0.3) ? early() : late(), () => shownInShopify(stage, at, number));
  for (let count = 1; count <= 3; count += 1)
    act(lastsMs + count * MINUTE_MS, "choose", (services) => choose(services, at, random.pick(["held", "shopify"])));

  async function pressed(services: Services) {
    const answer = await pressMove(services, { ...at, anyway: random.chance(0.5) });
    return answer;
  }

  async function calledOff(services: Services) {
    const marker = moveOf(stage, at)?.marker;
    const answer = await cancelMove(services, at);
    if (answer.kind === "done" && marker !== undefined) stage.known.movesAtMs.delete(marker);
    return answer;
  }
}

async function plan(
  stage: Stage,
  services: Services,
  { at, number, isByPress, random }: { at: At; number: string; isByPress: boolean; random: SeededRandom },
) {
  const place = placeIn({
    ...NO_ADDRESS,
    street1: STREET,
    street_number: number,
    area_level3: "Americana",
    area_level2: "Guadalajara",
    area_level1: "Jalisco",
    postal_code: "44160",
    country_code: "MX",
    reference: "Portón",
  });
  const hour = isByPress ? null : hourAfter(stage, random.between(1, 4) * MINUTE_MS);
  const planned = { place, hour, keepFormer: random.chance(0.5) };
  return noteHour(stage, at, hour, await planMove(services, { ...at, plan: planned }));
}

/** An hour of the shop's zone at the true time, though a process may take the date for another one. */
function hourAfter({ nowMs }: Stage, afterMs: number): string {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, dateStyle: "short", timeStyle: "short" });
  return text.format(nowMs() + afterMs + MINUTE_MS).replace(" ", "T");
}

const ZONE = "America/Mexico_City";

function noteHour<A extends { kind: string }>(stage: Stage, at: At, hour: string | null, answer: A): A {
  const marker = moveOf(stage, at)?.marker;
  if (answer.kind !== "done" || marker === undefined) return answer;
  if (hour === null) stage.known.movesAtMs.delete(marker);
  else stage.known.movesAtMs.set(marker, hourMs(hour, ZONE)!);
  return answer;
}

/** Somebody writes the new address in Shopify, before the day or after it. */
function shownInShopify(stage: Stage, at: At, number: string): void {
  const known = stage.shopify.known(at.shop, at.locationId);
  if (!known) return;
  stage.timeline.tell("owner", () => `moving day: shown in Shopify (${at.shop}, ${at.locationId})`);
  stage.tally.count("moving day: shown in Shopify");
  stage.shopify.put(at.shop, { ...known, address: mexicanAddress({ street: STREET, number }) });
  webhook(stage, at, "locations/update");
}

/** The owner chooses between the place that is held and Shopify's, where Shopify shows a third one. */
async function choose(services: Services, at: At, keep: "held" | "shopify") {
  const details = await services.store.details.find({ ...at });
  const location = await services.store.locations.find({ ...at });
  if (!details?.held || !location) return { kind: "nothing to do" };
  const readFrom = addressText(location.address);
  if (details.held.against === readFrom) return { kind: "nothing to do" };
  return settleHeld(services, { ...at, keep, revision: details.revision, readFrom });
}
