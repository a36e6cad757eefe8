import type { Policies } from "../../../app/domain/records.ts";
import { locationGid } from "../../fakes/records.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import type { Habits } from "../../fakes/shipping/habits.ts";
import { drawHabits, type ServiceAs } from "./service-as.ts";
import { drawMachineTroubles } from "./machine-weather.ts";
import type { MachineTroubles } from "./machine-weather.ts";
import { drawLeavesOut } from "./leaves-out.ts";
import type { LeavesOut } from "./leaves-out.ts";
import { drawFlapping, drawOutages } from "./service-weather.ts";
import type { Weather } from "./service-weather.ts";
import { drawShopify } from "./shopify-weather.ts";
import type { ShopifyWeather } from "./shopify-weather.ts";
import { drawAllStuck } from "./stuck.ts";

/** What happens in one story, drawn from its seed before the story begins. No story has everything. */
export interface Scenery {
  shops: SceneShop[];
  habits: Habits;
  tokens: { livesSeconds: readonly [least: number, most: number]; refreshes: boolean; shopifyLivesSeconds: number };
  /** Two processes that share the service's slots, or one process with its own, which restarts. */
  processes: 1 | 2;
  workers: number;
  policies: Partial<Policies>;
  weather: Weather;
  shopify: ShopifyWeather;
  machine: MachineTroubles;
  webhooks: { lost: number; repeated: number; lateMs: number };
  /** Port calls after which a process dies or freezes. */
  crashes: ReadonlySet<number>;
  freezes: ReadonlySet<number>;
  /**
   * A process that was just asked for something often freezes until its leases have expired. Somebody sends forms at these times after the
   * start, because only forms' runs depend on the fence alone to exclude a second run. Null where no process stalls.
   */
  stalls: { formsAtMs: number[] } | null;
  /** Whether a process often stops before it asks for a template, until its leases have passed to the other process. */
  starves: boolean;
  /** How the story ends: with a reconcile after a restart, or quietly, where only what webhooks announced counts. */
  tail: "boot" | "quiet";
  people: number;
  /** How many changes people make in Shopify's admin while a fault sticks in the calm. */
  calmPeople: number;
  /** When the shop's contact is saved in Settings, counted from the start: during the faults, or as the calm begins. Null: never. */
  settingsAtMs: number | null;
  strangers: number;
  /** Whether strangers change the book between the pages of each listing, so that rows move from one page to another unseen. */
  shifts: boolean;
  /** When strangers add and delete templates, counted from the start. */
  comings: number[];
  /** When, counted from the start, an owner begins to look for a location whose create is unclear, to link another template to it. */
  linksInstead: number[];
  /** Whether the book already holds a template with the values that a form will send. */
  older: boolean;
  /** When one location's template is missing from the service's answers, for less than a minute. */
  vanishes: { fromMs: number; untilMs: number } | null;
  leavesOut: LeavesOut | null;
  /** Whether workflows of each shop wait for every trigger from the start. */
  usesFlow: boolean;
  /** When a row cannot be read, counted from the start; until the end where `untilMs` is null. */
  malformed: { fromMs: number; untilMs: number | null; how: Malformed; own: boolean } | null;
}

export interface SceneShop {
  shop: string;
  clientId: string;
  locationIds: string[];
  /** Those of the locations that nobody has confirmed. */
  unconfirmed: string[];
}

export type Malformed = "no_address" | "no_object";

const TROUBLE_MS = 240_000;

const DEPARTED_RULES = ["keep", "unlink", "delete"] as const;

export interface SceneryOptions {
  startMs: number;
  effectsLaterThanBound: boolean;
  serviceAs?: ServiceAs | null | undefined;
}

export function drawScenery(
  random: SeededRandom,
  { startMs, effectsLaterThanBound, serviceAs }: SceneryOptions,
): Scenery {
  const endsAtMs = startMs + TROUBLE_MS;
  const tail = random.chance(0.4) ? "quiet" : "boot";
  const shops = drawShops(random.fork("shops"));
  const busy = random.fork("busy").chance(0.12);
  const leavesOut = drawLeavesOut(random.fork("leaves out"), { startMs, endsAtMs });
  const drawnStrangers = busy || random.chance(0.03) ? random.between(18, 23) : random.between(0, 2);
  const linksInstead = drawLinksInstead(random.fork("links instead"));
  const habits = drawHabits({ habits: random.fork("habits"), dialect: random.fork("dialect"), serviceAs });
  // Where the newest come first, such a change makes the count wrong, and no listing would be believed as long as it goes on.
  const mayShift = linksInstead.length === 0 && habits.order === "oldest";
  const shifts = random.fork("shifts").chance(0.08) && mayShift;
  const drawn = drawStrangers(random.fork("shifted strangers"), { drawn: drawnStrangers, linksInstead, shifts });
  const at = { startMs, endsAtMs };
  const mayBeLong = random.fork("long book").chance(0.5);
  const stuck = drawAllStuck(random.fork("stuck"), { ...at, shops, pages: drawn > 15 || mayBeLong ? 2 : 1 });
  // An empty list does harm where something is known that it leaves out, and a create ends unclear meanwhile.
  const isEmptied = stuck.some(({ how }) => how === "empty");
  const known = isEmptied ? Math.max(drawn, 2) : drawn;
  // A page that fails alone must be there.
  const strangers = stuck.some(({ page }) => page !== null) ? Math.max(known, 20) : known;
  const faults = random.pick([0, 0.05, 0.15, 0.35]);
  const drawnProcesses = random.chance(0.4) ? 2 : 1;
  const stalls = drawStalls(random.fork("stalls"));
  // A second process must exist to take over the work.
  const starves = random.fork("starves").chance(0.1);
  const processes = stalls || starves ? 2 : drawnProcesses;
  const crashes = tail === "quiet" ? 0 : random.pick([0, 1, 1, 2, 4]);
  const machine = drawMachineTroubles(random.fork("machine"), {
    lastsMs: TROUBLE_MS,
    deploys: tail === "boot",
    alone: processes === 1,
  });
  const stir = () => random.between(20, 900);
  const outages = [...drawFlapping(random.fork("flaps"), at), ...drawOutages(random.fork("outages"), at)];
  const getsBehindMs = random.fork("gets").pick([0, 0, 0, 0, 0, 0, 6_000, 40_000]);
  const hidesMore = getsBehindMs > 0 || outages.some(({ how }) => how === "not_found");
  // A deletion that always fails shows only if something is to be deleted.
  const departed = stuck.some(({ operation }) => operation === "delete") ? (["delete"] as const) : DEPARTED_RULES;
  return {
    shops,
    habits,
    tokens: drawTokens(random.fork("tokens")),
    processes,
    workers: random.between(1, 2),
    policies: {
      onDelete: random.pick(departed),
      onDeactivate: random.pick(departed),
      // What is left out shows only if carriers are asked again.
      verifyAfterChange: random.chance(0.25) || leavesOut !== null,
      carriers: ["fedex", "dhl"],
    },
    weather: {
      faults,
      outages,
      tokenTrouble: random.fork("token trouble").pick([0, 0, 0.3]),
      createsUnclear: linksInstead.length > 0 || shifts || isEmptied ? 0.5 : 0,
      arrivesLate: random.fork("arrives late").chance(0.2) ? 0.4 : 0,
      listsBehindMs: serviceAs?.listsBehindMs ?? random.fork("lists").pick([0, 0, 0, 0, 5_000, 30_000]),
      getsBehindMs,
      stuck,
      endsAtMs,
      effectsLaterThanBound,
    },
    shopify: drawShopify(random, {
      ...at,
      ...shops[0]!,
      faults: faults / 3,
      mayBeBehind: machine.jumps.length + machine.sleeps.length === 0,
      keepsWebhooks: tail === "quiet",
    }),
    machine,
    webhooks: { lost: tail === "quiet" ? 0 : 0.15, repeated: 0.2, lateMs: random.pick([200, 5_000, 90_000]) },
    crashes: new Set(Array.from({ length: crashes }, stir)),
    freezes: new Set(random.chance(0.3) ? [stir(), stir()] : []),
    stalls,
    starves,
    tail,
    people: random.between(3, 10),
    calmPeople: stuck.length > 0 ? random.between(2, 4) : 0,
    settingsAtMs: drawSettings(random.fork("settings")),
    strangers,
    shifts,
    comings: busy ? Array.from({ length: random.between(6, 24) }, () => random.between(1_000, TROUBLE_MS)) : [],
    // With another fault that does not find it, a template that vanishes is not found twice, and none of the faults lasts.
    vanishes: hidesMore ? null : drawVanishing(random.fork("vanishes")),
    malformed: drawMalformed(random.fork("malformed")),
    leavesOut,
    usesFlow: random.fork("flow").chance(0.4),
    linksInstead,
    older: random.fork("older").chance(0.3),
  };
}

function drawStrangers(
  random: SeededRandom,
  { drawn, linksInstead, shifts }: { drawn: number; linksInstead: readonly number[]; shifts: boolean },
): number {
  // What is made next stands on the second page, or is about to.
  if (shifts) return random.between(19, 22);
  // Another template must exist to be linked.
  return linksInstead.length > 0 ? Math.max(2, drawn) : drawn;
}

function drawShops(random: SeededRandom): SceneShop[] {
  const [one, two] = ["one.myshopify.com", "two.myshopify.com"];
  const shops = random.chance(0.2) ? [one, two] : [one];
  // Two shops with the same credentials share an account and a budget; with different ones they share nothing.
  const apart = random.chance(0.4);
  return shops.map((shop, index) => {
    const count = random.between(1, shops.length > 1 ? 2 : 3);
    const locationIds = Array.from({ length: count }, (_, at) => locationGid(10 * index + at + 1));
    const unconfirmed = locationIds.filter(() => random.chance(0.12));
    return { shop, clientId: apart && index > 0 ? "client-4" : "client-1", locationIds, unconfirmed };
  });
}

function drawTokens(random: SeededRandom): Scenery["tokens"] {
  return {
    livesSeconds: random.chance(0.25) ? [45, 200] : [7_200, 7_200],
    refreshes: random.chance(0.5),
    shopifyLivesSeconds: random.pick([3_600, 3_600, 400]),
  };
}

function drawSettings(random: SeededRandom): number | null {
  if (!random.chance(0.2)) return null;
  return random.chance(0.3) ? random.between(2_000, TROUBLE_MS) : TROUBLE_MS + random.between(1_000, 25_000);
}

function drawStalls(random: SeededRandom): Scenery["stalls"] {
  if (!random.chance(1 / 6)) return null;
  return { formsAtMs: Array.from({ length: random.between(2, 5) }, () => random.between(2_000, TROUBLE_MS - 5_000)) };
}

const LOOKS_FOR_UNCLEAR_MS = 20_000;

function drawLinksInstead(random: SeededRandom): number[] {
  if (!random.chance(0.08)) return [];
  return Array.from({ length: TROUBLE_MS / LOOKS_FOR_UNCLEAR_MS - 1 }, (_, nth) => (nth + 1) * LOOKS_FOR_UNCLEAR_MS);
}

/** Shorter than two readings a minute apart, which would believe the template gone. */
const LONGEST_VANISHED_MS = 50_000;

function drawVanishing(random: SeededRandom): Scenery["vanishes"] {
  if (!random.chance(0.12)) return null;
  const fromMs = random.between(20_000, TROUBLE_MS - LONGEST_VANISHED_MS);
  return { fromMs, untilMs: fromMs + random.between(5_000, LONGEST_VANISHED_MS) };
}

function drawMalformed(random: SeededRandom): Scenery["malformed"] {
  if (!random.chance(0.08)) return null;
  const fromMs = random.between(0, TROUBLE_MS / 2);
  const untilMs = random.chance(0.7) ? fromMs + random.between(10_000, 90_000) : null;
  return { fromMs, untilMs, how: random.pick(["no_address", "no_object"]), own: random.chance(0.5) };
}
