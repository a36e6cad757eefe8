import { setTimeout as sleep } from "node:timers/promises";
import { markerOf } from "../../app/domain/marker.ts";
import type { SeededRandom } from "../fakes/random.ts";
import type { Proxy } from "../adapters/store/postgresql/proxy.ts";
import type { AdminFaultRule } from "../sandbox/admin/faults.ts";
import type { FaultRule } from "../sandbox/shipping/options.ts";
import type { SoakWorld } from "./world.ts";
import { gidOf, LATEST_EFFECT_MS } from "./world.ts";

/** Faults: some hit single calls, and spells break one thing for a while. */

/**
 * The longest delay until a call of the app arrives; a fault's slow way adds as much. A new process sends nothing for a second and this
 * time.
 */
export const LONGEST_WAY_IN_MS = 250;

/** A stuck operation lasts for minutes, so that work it starves would show. */
const STUCK_MS = [45_000, 150_000] as const;
const OUTAGE_MS = 30_000;
const BURST_MS = [3_000, 25_000] as const;

/** The chance of each fault for a single call. With a higher one the connection would rest most of the time. */
const PROBABILITY = 0.015;

function passingFaults(): FaultRule[] {
  return [
    { kind: "lost-reply", probability: PROBABILITY },
    { kind: "late-effect", probability: PROBABILITY, delayMs: [200, LATEST_EFFECT_MS] },
    { kind: "error-before", probability: PROBABILITY },
    { kind: "error-after", probability: PROBABILITY },
    { kind: "reset", probability: PROBABILITY },
    { kind: "unreadable-json", probability: PROBABILITY / 2 },
    { kind: "unauthorized", probability: PROBABILITY / 2 },
    { kind: "invalid-grant", probability: 0.3 },
    { kind: "too-many", probability: PROBABILITY / 2, retryAfter: 1 },
    { kind: "slow", probability: 0.3, delayMs: [10, LONGEST_WAY_IN_MS], way: "in" },
  ];
}

interface Spell {
  name: string;
  /** The ids whose story the spell belongs to. */
  about: string[];
  forMs: number;
  begin: () => () => void;
}

/** One spell after another at the service, and at the same time at Shopify, until told to stop; then nothing fails any more. */
export async function weather(
  world: SoakWorld,
  { database, signal }: { database: Proxy | null; signal: AbortSignal },
): Promise<void> {
  const { service, admin, random } = world;
  service.faults.set(passingFaults());
  admin.faults.random = random.fork("shopify's chance").next;
  const ofDeliveries = random.fork("deliveries");
  admin.webhooks.lose = () => counted(world, "webhook lost", ofDeliveries.chance(0.1));
  admin.webhooks.copies = () => (counted(world, "webhook doubled", ofDeliveries.chance(0.15)) ? 2 : 1);
  await Promise.all([
    spells(world, { draw: spellOfService, pauseMs: [2_000, 15_000], random: random.fork("service"), signal }),
    spells(world, { draw: spellOfShopify, pauseMs: [10_000, 40_000], random: random.fork("shopify"), signal }),
    endsTokens(world, random.fork("tokens"), signal),
    database &&
      spells(world, {
        draw: (_world, chance) => spellOfDatabase(database, chance),
        pauseMs: [10_000, 30_000],
        random: random.fork("database"),
        signal,
      }),
  ]);
  service.faults.clear();
  admin.faults.clear();
  admin.webhooks.lose = () => false;
  admin.webhooks.copies = () => 1;
}

interface Spells {
  draw: (world: SoakWorld, random: SeededRandom) => Spell;
  pauseMs: readonly [number, number];
  random: SeededRandom;
  signal: AbortSignal;
}

async function spells(world: SoakWorld, { draw, pauseMs, random, signal }: Spells): Promise<void> {
  while (!signal.aborted) {
    const { name, about, forMs, begin } = draw(world, random);
    world.diary.note(about, `${name} begins, for ${Math.round(forMs / 1_000)} s`);
    world.diary.count(`spell: ${name}`);
    const end = begin();
    await untilOver(forMs, signal);
    end();
    world.diary.note(about, `${name} is over`);
    await untilOver(random.between(...pauseMs), signal);
  }
}

/** What is stuck: the operation for one template, or for all. */
function spellOfService(world: SoakWorld, random: SeededRandom): Spell {
  const { service } = world;
  const shop = random.pick(world.shops);
  const id = random.pick([...shop.state.locations.keys()]);
  const marker = markerOf(shop.state.domain, gidOf(id));
  const there = service.templates(shop.clientId, "production");
  const template = there.find((each) => String(each["alias_name"]).includes(marker)) ?? there[0];
  const templateId = template?.id ?? "none";
  const message = "Error interno del servicio";
  const one = (operation: "get" | "update" | "verify"): [string, string[], FaultRule] => [
    `${operation} of one template answers 500`,
    [templateId, gidOf(id)],
    { kind: "error-before", status: 500, operations: [operation], templateId, message },
  ];
  const all = (name: string, rule: FaultRule): [string, string[], FaultRule] => [name, ["all"], rule];
  const { clientId } = shop;
  const [name, about, rule] = random.pick([
    one("get"),
    one("get"),
    one("update"),
    one("update"),
    one("verify"),
    ["get of one template hangs", [templateId, gidOf(id)], { kind: "hang", operations: ["get"], templateId }] as [
      string,
      string[],
      FaultRule,
    ],
    all("the list answers 500", { kind: "error-before", status: 500, operations: ["list"], clientId, message }),
    all("the list is slower than a call may take", {
      kind: "slow",
      operations: ["list"],
      clientId,
      delayMs: 12_000,
      way: "out",
    }),
    all("page 2 of the list answers 500", {
      kind: "error-before",
      status: 500,
      operations: ["list"],
      page: 2,
      message,
    }),
    all("every create answers 503", { kind: "error-before", status: 503, operations: ["create"], message }),
    all("every update answers 500 after its effect", {
      kind: "error-after",
      status: 500,
      operations: ["update"],
      clientId,
      message,
    }),
    all("the token endpoint answers HTML 401", { kind: "html", status: 401, operations: ["token"] }),
    all("refreshes are refused", { kind: "invalid-grant" }),
    all("everything answers HTML 403", { kind: "html", status: 403 }),
  ]);
  return {
    name,
    about,
    forMs: about.includes("all") && random.chance(0.5) ? random.between(...BURST_MS) : random.between(...STUCK_MS),
    begin: () => {
      const ids = service.faults.set(rule);
      return () => ids.forEach((each) => service.faults.clear(each));
    },
  };
}

function spellOfDatabase(way: Proxy, random: SeededRandom): Spell {
  const [name, forMs, begin] = random.pick<[string, number, () => void]>([
    ["The database is gone", OUTAGE_MS, () => way.cut({ shut: true })],
    ["The database stands still", OUTAGE_MS, () => way.stall()],
    ["The database lets nobody in", OUTAGE_MS, () => way.shut()],
    ["The database takes half a second for each answer", OUTAGE_MS, () => way.slow(250)],
    ["The database's connections are cut", 0, () => way.cut()],
  ]);
  return {
    name,
    about: ["all"],
    forMs,
    begin: () => {
      begin();
      return () => {
        way.open();
        way.slow(0);
      };
    },
  };
}

function spellOfShopify({ admin, shops }: SoakWorld, random: SeededRandom): Spell {
  const shop = random.pick(shops).state.domain;
  const status = random.pick([400, 403, 404, 406, 430, 500, 502, 503, 504]);
  const body = random.pick(["html", "json", "empty"] as const);
  const rules: [string, AdminFaultRule][] = [
    [`Shopify answers ${status}`, { kind: "status", shop, status, body }],
    [`Shopify answers ${status} to half of the calls`, { kind: "status", shop, status, body, probability: 0.5 }],
    ["Shopify throttles", { kind: "throttled", shop, probability: 0.8 }],
    ["Shopify refuses refreshes", { kind: "refused-refresh", shop }],
    ["Shopify does not know the app", { kind: "refused-refresh", shop, error: "invalid_client" }],
    ["Shopify does not answer", { kind: "hang", shop }],
    ["Shopify drops connections", { kind: "reset", shop }],
  ];
  const [name, rule] = random.pick(rules);
  const ending = name.includes("refresh") || name.includes("know");
  return {
    name,
    about: ["all"],
    forMs: random.between(...BURST_MS),
    begin: () => {
      admin.faults.set(rule);
      // A token is refreshed when it expires.
      const owner = shops.find(({ state }) => state.domain === shop)!;
      if (ending) admin.tokens.expireAll(owner.state);
      return () => admin.faults.clear();
    },
  };
}

/** Tokens of both services are ended early, of which the app is not told. */
async function endsTokens({ service, admin, shops, diary }: SoakWorld, random: SeededRandom, signal: AbortSignal) {
  while (!signal.aborted) {
    await untilOver(random.between(15_000, 60_000), signal);
    const shop = random.pick(shops);
    if (random.chance(0.5)) service.revokeTokens(shop.clientId);
    else admin.tokens.expireAll(shop.state);
    diary.count("tokens ended");
  }
}

function counted({ diary }: SoakWorld, name: string, happens: boolean): boolean {
  if (happens) diary.count(name);
  return happens;
}

async function untilOver(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
